// Reads everything and never answers.
process.stderr.write('still thinking\n')
process.stdin.on('data', () => {}).on('end', () => process.exit(0))
