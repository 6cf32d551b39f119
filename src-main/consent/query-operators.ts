import { wordSet } from './names.ts'

/** Operators of document databases and of OData that choose, order or compute from the documents at hand, and spellings of plain values. */
const DATA_OPERATORS = wordSet(`
  $eq $ne $gt $gte $lt $lte $in $nin $and $or $nor $not $exists $type $all $elemMatch $size $mod $regex $options $text $search $language
  $caseSensitive $diacriticSensitive $near $nearSphere $geoWithin $geoIntersects $geometry $maxDistance $minDistance $box $center
  $centerSphere $polygon $meta $slice
  $match $group $sort $limit $skip $project $unwind $count $addFields $set $unset $sortByCount $bucket $bucketAuto $sample $facet
  $replaceRoot $replaceWith $densify $fill $setWindowFields $geoNear
  $sum $avg $min $max $first $last $push $addToSet $stdDevPop $stdDevSamp $top $topN $bottom $bottomN $firstN $lastN $maxN $minN $median
  $percentile $mergeObjects $rank $denseRank $documentNumber $shift $derivative $integral
  $abs $add $ceil $divide $exp $floor $ln $log $log10 $multiply $pow $round $sqrt $subtract $trunc $cmp $cond $ifNull $switch
  $arrayElemAt $arrayToObject $concatArrays $filter $indexOfArray $isArray $map $objectToArray $range $reduce $reverseArray $sortArray
  $zip $setDifference $setEquals $setIntersection $setIsSubset $setUnion $allElementsTrue $anyElementTrue
  $concat $indexOfCP $ltrim $rtrim $trim $regexFind $regexFindAll $regexMatch $replaceOne $replaceAll $split $strLenCP $strcasecmp
  $substrCP $toLower $toUpper $convert $toBool $toDate $toDecimal $toDouble $toInt $toLong $toObjectId $toString $literal $let
  $dateAdd $dateDiff $dateFromParts $dateFromString $dateSubtract $dateToParts $dateToString $dateTrunc $dayOfMonth $dayOfWeek
  $dayOfYear $hour $isoDayOfWeek $isoWeek $isoWeekYear $minute $month $second $week $year
  $oid $date $numberInt $numberLong $numberDouble $numberDecimal $uuid $timestamp
  $select $orderby`)

/** Operators of an update. Some are also operators of a pipeline, which compute there. */
const UPDATE_OPERATORS = wordSet(
  '$set $unset $push $addToSet $min $max $inc $mul $rename $setOnInsert $currentDate $each $position $pop $pull $pullAll $bit',
)

/** True for an operator that may run code, reach another collection or write. */
export const isBeyondQuery = (key: string, inQuery: boolean) =>
  key.startsWith('$') && (!DATA_OPERATORS.has(key) || (!inQuery && UPDATE_OPERATORS.has(key)))

/** True for an operator that does no more than a change is expected to. */
export const onlyUpdates = (operator: string) => UPDATE_OPERATORS.has(operator)
