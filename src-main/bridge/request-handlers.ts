import { HostError } from '../../src-shared/contract/errors.ts'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import { runsOpen } from '../../src-shared/contract/plain-values.ts'
import { NO_PLACE } from '../../src-shared/contract/projects.ts'
import type { HostRequestName, ParamsOf, ResultOf } from '../../src-shared/contract/requests.ts'
import { editAndResend, forkAt, retryWith } from '../host/conversations/conversation-branches.ts'
import { fileName } from '../host/conversations/conversation-files.ts'
import { enterPrompt } from '../host/conversations/prompt-messages.ts'
import type { Host } from '../host/host.ts'

type Handler<N extends HostRequestName> = (
  host: Host,
  params: ParamsOf<N>,
  signal: AbortSignal,
) => ResultOf<N> | Promise<ResultOf<N>>

/** For a request without a result. */
const done = async (work: unknown): Promise<null> => {
  await work
  return null
}

const TEXT_CHUNK = 1024 * 1024
const HEAD_BYTES = 2048
const LEDGER_ROWS = 50

/** One line per request: the part of the host that handles it. */
export const REQUEST_HANDLERS: { readonly [N in HostRequestName]: Handler<N> } = {
  'server.add': ({ servers }, { config }) => servers.edits.add(config),
  'server.change': ({ servers }, { serverId, config }) => servers.edits.change(serverId, config),
  'server.remove': ({ servers }, { serverId }) => done(servers.edits.remove(serverId)),
  'server.takeBack': ({ servers }, { serverIds }) => servers.edits.takeBack(serverIds),
  'server.restore': ({ servers }, { serverId }) => done(servers.edits.restore(serverId)),
  'server.setOptions': ({ servers }, { serverId, options }) => done(servers.controls.setOptions(serverId, options)),
  'server.offerTool': ({ servers }, { serverId, tool, offered }) =>
    done(servers.controls.listTool(serverId, 'hiddenTools', tool, !offered)),
  'server.runToolInBackground': ({ servers }, { serverId, tool, on }) =>
    done(servers.controls.listTool(serverId, 'backgroundTools', tool, on)),
  'server.reviewTool': ({ servers }, { serverId, tool, on }) =>
    done(servers.controls.listTool(serverId, 'reviewedTools', tool, on)),
  'server.start': ({ servers }, { serverId }) => done(servers.controls.start(serverId)),
  'server.stop': ({ servers }, { serverId }) => done(servers.controls.stop(serverId)),
  'server.restart': ({ servers }, { serverId }) => done(servers.controls.restart(serverId)),
  'server.setLogLevel': ({ servers }, { serverId, level }) => done(servers.configured.get(serverId).setLogLevel(level)),
  'server.liftSecrets': ({ servers }, { serverId }) => done(servers.edits.liftSecrets(serverId)),
  'server.mute': ({ servers, interactions }, { serverId, muted }) => done(mute(servers, interactions, serverId, muted)),
  'server.authorize': ({ servers }, { serverId }) => done(servers.controls.authorize(serverId)),
  'server.cancelAuthorization': ({ servers }, { serverId }) => done(authorizationOf(servers, serverId).cancel()),
  'server.pasteRedirect': ({ servers }, { serverId, address }) => done(authorizationOf(servers, serverId).paste(address)),
  'server.forgetAuthorization': ({ servers }, { serverId, everything }) =>
    done(authorizationOf(servers, serverId).forget(everything)),
  'server.resetBudget': ({ features }, { serverId }) => done(features.samplingPolicy.reset(serverId)),
  'fence.read': async ({ servers }, { serverId }) => {
    const server = servers.configured.own(serverId)
    const { record, refusals } = server
    return {
      ...(await servers.fences.about(server, record.folders ?? [])),
      blocked: refusals.reaches.beyond(record.options.fence),
    }
  },
  'fence.offers': async ({ servers }) => {
    const open = servers.configured.all().filter(({ record }) => runsOpen(record))
    const about = open.map(async (server) => ({
      serverId: server.id,
      ...(await servers.fences.about(server, server.record.folders ?? [])),
    }))
    return { servers: await Promise.all(about), together: servers.controls.fencedTogether() }
  },
  'fence.all': ({ servers }, { fences }) => done(servers.controls.fenceAll(fences)),
  'fence.openAgain': ({ servers }) => done(servers.controls.openAgain()),
  'fence.open': async ({ servers }, { serverId, name }, signal) => {
    const { record } = servers.configured.own(serverId)
    const named = record.blocked?.filter((reach) => reach.name === name) ?? []
    return { opened: await servers.controls.openFurther(serverId, named, signal) }
  },
  'fence.watched': ({ servers }, { serverId }) => {
    const { record, launch } = servers.configured.own(serverId)
    return servers.watches.about(serverId, launch, record.folders ?? [], record.options.fence)
  },
  'roots.read': async ({ features, servers }, { serverId }) => {
    const folders = servers.configured.find(serverId)?.record.folders
    const fromProjects = features.roots.sharedFromProject(serverId)
    return { suggestions: await features.roots.suggestions(serverId), fromProjects, ...(folders && { folders }) }
  },
  'roots.set': ({ features }, { serverId, folders }) => done(features.roots.set(serverId, folders)),
  'conversation.place': ({ conversations }, { id }) => conversations.open(id, (one) => one.ownPlace),
  'conversation.setPlace': ({ conversations }, { id, place }) => done(conversations.open(id, (one) => one.setPlace(place))),
  'server.call': ({ byHand }, { serverId, tool, arguments: args, callId }, signal) =>
    byHand.call(serverId, tool, args, signal, callId),
  'server.diagnose': ({ servers }, { serverId }, signal) => servers.doctor.diagnose(serverId, signal),
  'server.about': ({ servers }, { serverId }) => servers.catalogs.about(serverId),
  'server.usage': async ({ servers }, { serverId }) => ({ usage: await servers.configured.get(serverId).usage() }),
  'catalog.tools': ({ servers }, { serverId, ...page }) => servers.catalogs.tools(serverId, page),
  'catalog.tool': ({ offerings }, { serverId, tool }) => offerings.tools.page(serverId, tool),
  'catalog.resources': ({ servers }, { serverId, ...page }) => servers.catalogs.resources(serverId, page),
  'catalog.templates': ({ servers }, { serverId, ...page }) => servers.catalogs.templates(serverId, page),
  'catalog.prompts': ({ servers }, { serverId, ...page }) => servers.catalogs.prompts(serverId, page),
  'catalog.refresh': ({ servers }, { serverId }, signal) => done(servers.catalogs.refresh(serverId, signal)),
  'resource.read': ({ offerings }, { serverId, uri, confirmed }, signal) =>
    offerings.resources.read(serverId, uri, signal, confirmed),
  'template.expand': ({ offerings }, { serverId, uriTemplate, values }) =>
    offerings.resources.expand(serverId, uriTemplate, values),
  'template.variables': ({ offerings }, { serverId, uriTemplate }) => offerings.resources.variables(serverId, uriTemplate),
  'prompt.get': ({ offerings }, { serverId, prompt, arguments: args }, signal) =>
    offerings.prompts.get(serverId, prompt, args, signal),
  'completion.complete': ({ offerings }, wanted, signal) => offerings.completion.complete(wanted, signal),
  'import.look': ({ imports }) => imports.look(),
  'import.receive': ({ imports }, { piece, upload }) => imports.receive(piece, upload),
  'import.review': ({ imports }, { from }, signal) => imports.review(from, signal),
  'import.add': ({ imports }, { review, servers }) => imports.add(review, servers),
  'registry.search': ({ imports }, asked, signal) => imports.registry.search(asked, signal),
  'registry.confirm': ({ imports }, { review, key }, signal) => imports.confirm(review, key, signal),
  'registry.latest': ({ imports }, { serverId }, signal) => imports.registry.latest(serverId, signal),
  'server.origin': async ({ imports }, { serverId }) => ({ origin: await imports.installed.origin(serverId) }),
  'server.stepBack': ({ imports }, { serverId }) => imports.installed.stepBack(serverId),
  'server.export': ({ imports }, { host, serverIds }) => imports.export(host, serverIds),
  'traffic.read': ({ servers }, { serverId, after }) => servers.configured.get(serverId).traffic.read(after),

  'project.create': ({ projects }, { name }) => projects.create(name),
  'project.read': ({ projects }, { id }) => projects.read(id),
  'project.change': ({ projects }, { id, change }) => done(projects.change(id, change)),
  'project.remove': ({ projects }, { id }) => done(projects.remove(id)),
  'project.attachFile': ({ personFiles }, given) => personFiles.attachToProject(given),
  'project.removeFile': ({ projects }, { id, attachmentId }) => done(projects.removeFile(id, attachmentId)),
  'project.restoreFile': ({ projects }, { id, attachmentId }) => done(projects.restoreFile(id, attachmentId)),
  'conversation.create': ({ conversations }, wanted) => conversations.create(wanted),
  'conversation.setProject': ({ conversations }, { id, project }) => done(conversations.setProject(id, project)),
  'conversation.archive': ({ conversations }, { id, archived }) => done(conversations.open(id, (one) => one.archive(archived))),
  'conversation.rename': ({ conversations }, { id, title }) => done(conversations.open(id, (one) => one.rename(title))),
  'conversation.setModel': ({ conversations }, { id, model }) =>
    done(conversations.open(id, (one) => one.changeHead((head) => ({ ...head, model })))),
  'conversation.remove': ({ conversations }, { id }) => done(conversations.remove(id)),
  'conversation.restore': ({ conversations }, { id }) => done(conversations.restore(id)),
  'conversation.head': ({ conversations }, { id }) => conversations.open(id, (one) => one.head),
  'conversation.page': ({ conversations }, wanted) => conversations.page(wanted),
  'conversation.attachResource': ({ conversations }, { id, serverId, uri, confirmed }, signal) =>
    conversations.open(id, (one) => one.attachments.attach(serverId, uri, signal, confirmed)),
  'conversation.attachFile': ({ conversations, personFiles }, { id, ...file }) =>
    conversations.open(id, (one) => personFiles.attach(one, file)),
  'place.files': async ({ conversations, projects, placeFiles }, { id, project, query }) => {
    const place = id ? await conversations.open(id, (one) => one.place) : projects.placeOf(NO_PLACE, project)
    return placeFiles.find(place, query)
  },
  'conversation.attachNamedFile': ({ conversations, personFiles }, { id, path }) =>
    conversations.open(id, (one) => personFiles.attachNamed(one, path)),
  'conversation.attachConversation': ({ conversations, personFiles }, { id, other }) =>
    conversations.open(id, (one) => personFiles.attachConversation(one, other)),
  'conversation.attachNote': ({ conversations, notes }, { id, note }) => conversations.open(id, (one) => notes.attach(one, note)),
  'conversation.attachPage': ({ conversations, webPages }, { id, url }, signal) =>
    conversations.open(id, (one) => webPages.attach(one, url, signal)),
  'conversation.detach': ({ conversations }, { id, attachmentId }) =>
    done(conversations.open(id, (one) => one.attachments.detach(attachmentId))),
  'conversation.reattach': ({ conversations }, { id, attachmentId }) =>
    done(conversations.open(id, (one) => one.attachments.reattach(attachmentId))),
  'conversation.refreshAttachment': ({ conversations }, { id, attachmentId, confirmed }, signal) =>
    conversations.open(id, (one) => one.attachments.refresh(attachmentId, signal, confirmed)),
  'conversation.attachPrompt': ({ conversations }, { id, preview, run }) =>
    conversations.open(id, (one) => enterPrompt(one, preview, run)),
  'conversation.fork': ({ conversations }, { id, messageId }) => conversations.open(id, (one) => forkAt(one, messageId)),
  'conversation.editAndResend': ({ conversations }, { id, messageId, text }) =>
    conversations.open(id, (one) => editAndResend(one, messageId, text)),
  'conversation.pin': ({ conversations }, { id, pinned }) => done(conversations.open(id, (one) => one.pin(pinned))),
  'conversation.tag': ({ conversations }, { id, tags }) => done(conversations.open(id, (one) => one.tag(tags))),
  'conversation.tags': ({ conversations }) => conversations.tags(),
  'conversation.setSwitches': ({ conversations }, { id, switches }) =>
    done(conversations.open(id, (one) => one.setSwitches(switches))),
  'conversation.export': ({ conversationFiles }, { ids, format }) => conversationFiles.export(ids, format),
  'conversation.import': ({ conversationFiles }, piece) => conversationFiles.import(piece),
  'draft.all': ({ drafts }) => drafts.all(),
  'draft.keep': ({ drafts }, { id, text }) => done(drafts.keep(id, text)),
  'context.tools': ({ meter }, { model, project }) => meter.tools(model, project),
  'context.read': ({ conversations, meter }, { id }, signal) => conversations.open(id, (one) => meter.read(one, signal)),
  'conversation.search': ({ conversations }, { query }) => conversations.search(query),
  'conversation.send': ({ conversations }, { id, text, now }) => conversations.open(id, (one) => one.send(text, now)),
  'queue.send': ({ conversations }, { id, messageId }) => done(conversations.open(id, (one) => one.sendQueued(messageId))),
  'queue.take': ({ conversations }, { id, messageId }) => conversations.open(id, (one) => one.queue.take(messageId)),
  'queue.remove': ({ conversations }, { id, messageId }) => done(conversations.open(id, (one) => one.queue.remove(messageId))),
  'queue.restore': ({ conversations }, { id, messageId }) => done(conversations.open(id, (one) => one.queue.restore(messageId))),
  'message.page': ({ conversations }, { id, before }) => conversations.open(id, (one) => one.messagesBefore(before)),
  'message.showVersion': ({ conversations }, { id, messageId }) =>
    done(conversations.open(id, (one) => one.showVersion(messageId))),
  'note.save': ({ conversations, notes }, { id, messageId }) => conversations.open(id, (one) => notes.save(one, messageId)),
  'note.rename': ({ notes }, { id, title }) => done(notes.rename(id, title)),
  'note.remove': ({ notes }, { id }) => done(notes.remove(id)),
  'note.restore': ({ notes }, { id }) => done(notes.restore(id)),
  'schedule.add': ({ schedules }, { config }) => schedules.add(config),
  'schedule.change': ({ schedules }, { id, config }) => done(schedules.change(id, config)),
  'schedule.read': ({ schedules }, { id }) => schedules.read(id),
  'schedule.pause': ({ schedules }, { id, paused }) => done(schedules.pause(id, paused)),
  'schedule.run': ({ schedules }, { id }) => schedules.runNow(id),
  'schedule.remove': ({ schedules }, { id }) => done(schedules.remove(id)),
  'schedule.restore': ({ schedules }, { id }) => done(schedules.restore(id)),

  'turn.cancel': ({ conversations }, { id }) => done(conversations.open(id, (one) => one.cancel())),
  'turn.skipServers': ({ conversations }, { id }) => done(conversations.open(id, (one) => one.skipServers())),
  'turn.retry': ({ conversations }, { id }) => done(conversations.open(id, (one) => one.retry())),
  'turn.retryWith': ({ conversations }, { id, model }) => done(conversations.open(id, (one) => retryWith(one, model))),
  'app.open': ({ apps }, { id, toolCallId, network }) => apps.open(id, toolCallId, network),
  'app.close': ({ apps }, { view }) => done(apps.close(view)),
  'app.call': ({ apps }, { view, tool, arguments: args, acted }, signal) => apps.call(view, tool, args, acted, signal),
  'app.tell': ({ apps }, { view, text, structured }) => done(apps.tell(view, text, structured)),
  'app.read': ({ apps }, { view, uri }, signal) => apps.read(view, uri, signal),
  'toolCall.keepWaiting': ({ servers }, { toolCallId }) => ({ granted: servers.calls.overdue.keepWaiting(toolCallId) }),
  'toolCall.leave': ({ conversations }, { id, toolCallId }) => done(conversations.open(id, (one) => one.leaveCall(toolCallId))),
  'toolCall.give': ({ conversations }, { id, toolCallId }) => done(conversations.open(id, (one) => one.giveResult(toolCallId))),
  'toolCall.show': ({ conversations }, { id, toolCallId }) => conversations.open(id, (one) => one.showCall(toolCallId)),
  'toolCall.canUndo': ({ conversations }, { id, toolCallId }) => conversations.open(id, (one) => one.undo.can(toolCallId)),
  'toolCall.undo': ({ conversations }, { id, toolCallId }) => done(conversations.open(id, (one) => one.undo.run(toolCallId))),
  'toolCall.cancel': ({ conversations }, { id, toolCallId }) => done(conversations.open(id, (one) => one.cancelCall(toolCallId))),

  'interaction.answer': ({ interactions }, answer) => ({ accepted: interactions.answer(answer) }),
  'interaction.draft': ({ interactions }, { id, draft }) => done(interactions.draft(id, draft)),
  'interaction.declineAll': ({ interactions }, { serverId }) => ({ declined: interactions.declineAll(serverId) }),

  'consent.list': ({ consent }) => ({ rules: consent.rules.list() }),
  'consent.revoke': ({ consent }, { id }) => done(consent.rules.revoke(id)),
  'consent.add': async ({ consent }, { rule }) => ({ id: await consent.rules.add(rule) }),
  'consent.export': ({ consent }) => ({ json: consent.rules.export() }),
  'consent.import': ({ consent }, { json }) => consent.rules.import(json),
  'consent.paused': ({ consent }, { serverId }) => consent.rules.pausedByUpdate(serverId),
  'consent.resume': ({ consent }, { serverId, launchIdentity }) => done(consent.rules.resume(serverId, launchIdentity)),
  'consent.simulate': ({ consent, conversations }, { serverId, tool, arguments: args, conversationId: id }) => {
    if (id === undefined) return consent.simulate(serverId, tool, args)
    return conversations.open(id, async (one) => {
      await one.read()
      return consent.simulate(serverId, tool, args, id)
    })
  },
  'consent.trustHints': ({ consent }, { serverId, trust }) => done(consent.judged.trustHints(serverId, trust)),
  'consent.tellPowers': ({ consent }, { serverId, tools }) => done(consent.judged.tellPowers(serverId, tools)),
  'consent.tools': ({ consent }, { serverId }) => consent.judged.list(serverId),

  'ledger.page': ({ storage }, wanted) => storage.ledger.page({ ...wanted, limit: LEDGER_ROWS }),
  'ledger.export': ({ storage }, { after }) => storage.ledger.lines(after),
  'ledger.check': ({ storage }, { after }) => storage.ledger.check(after),

  'titles.problem': ({ titles }) => ({ ...(titles.problem && { problem: titles.problem }) }),
  'skill.list': ({ skills }, _none, signal) => skills.list(signal),
  'skill.read': ({ skills }, { skill, path }, signal) => skills.read(skill, path, signal),
  'skill.setFolder': ({ skills }, { path }) => done(skills.setFolder(path)),
  'settings.change': ({ network }, { settings }) => done(network.change(settings)),
  'network.read': ({ network }) => network.read(),
  'network.setPassword': ({ network }, { password }) => done(network.setPassword(password)),
  'provider.add': async ({ providers }, { config, key }) => ({ id: await providers.add(config, key) }),
  'provider.change': ({ providers }, { id, config }) => done(providers.change(id, config)),
  'provider.remove': ({ providers }, { id }) => done(providers.remove(id)),
  'provider.setKey': ({ providers }, { id, key }) => done(providers.setKey(id, key)),
  'provider.setWindow': ({ providers }, { id, model, tokens }) => done(providers.setWindow(id, model, tokens)),
  'provider.refresh': ({ providers }, { id }, signal) => done(providers.refresh(id, signal)),
  'provider.try': ({ providers }, { id }, signal) => providers.try(id, signal),
  'provider.findLocal': async ({ providers }) => ({ found: await providers.findLocal() }),

  'notice.dismiss': ({ state }, { id }) => done(state.dismiss(id)),
  'blob.text': ({ storage }, { blob, offset }) => storage.blobs.text(blob, offset, TEXT_CHUNK),
  'blob.head': async ({ storage }, { blob }) => ({
    hex: Buffer.from(await storage.blobs.read(blob, { offset: 0, length: HEAD_BYTES })).toString('hex'),
  }),
  'blob.link': ({ platform }, { blob }) => ({ url: platform.blobLink(blob.blob, blob.mimeType) }),
  'blob.saveLink': ({ platform }, { blob, name }) => ({ url: platform.blobLink(blob.blob, blob.mimeType, fileName(name)) }),
  'data.read': ({ backups }) => backups.read(),
  'data.openCopy': ({ backups }, _params, signal) => done(backups.openCopy(signal)),
  'data.removeCopy': ({ backups }) => done(backups.removeCopy()),
  'data.unused': ({ storage }) => storage.unused.look(),
  'data.free': ({ storage }) => storage.unused.free(),
  'data.show': ({ platform, storage }) => done(required(platform.showFolder, 'Folders cannot be shown here.')(storage.folder)),
  'backup.make': ({ backups }, { passphrase }, signal) => backups.make(passphrase, signal),
  'backup.progress': ({ backups }) => ({ share: backups.share }),
  'backup.receive': async ({ backups }, { piece, upload }) => ({ upload: await backups.receive(piece, upload) }),
  'backup.review': ({ backups }, { upload }, signal) => backups.review(upload, signal),
  'backup.restore': ({ backups }, { passphrase }, signal) => done(backups.restore(passphrase, signal)),
  'backup.drop': ({ backups }) => done(backups.drop()),
  'app.restart': ({ platform }) => done(required(platform.restart, 'Restart Parley where you started it.')()),
  'platform.pickFolder': async ({ folders }, { title }) => ({ path: await folders.pick(title) }),
  'platform.pickFile': async ({ folders }, { title }) => ({ path: await folders.pickFile(title) }),
  'folder.list': ({ folders }, { path, files }) => folders.list(path, files),
  'platform.openLink': ({ platform }, { url }) => done(platform.openExternal(httpsOnly(url))),
  'update.check': ({ platform }) => done(updatesOf(platform).check()),
  'update.download': ({ platform }) => done(updatesOf(platform).download()),
  'update.install': ({ platform }) => done(updatesOf(platform).install()),
}

/** A feature that only some shells have. */
function required<Feature>(feature: Feature | undefined, missing: string): Feature {
  if (feature === undefined) throw new HostError('unavailable', missing)
  return feature
}

const updatesOf = ({ updates }: Host['platform']) => required(updates, 'No update feed is configured.')

const authorizationOf = (servers: Host['servers'], serverId: ServerId) => servers.configured.get(serverId).authorization

/** Declines open questions in the person's name; later ones are refused. */
async function mute(servers: Host['servers'], interactions: Host['interactions'], serverId: ServerId, muted: boolean) {
  await servers.controls.setOptions(serverId, { muted })
  if (muted) interactions.declineAll(serverId)
}

/** Pages may only open encrypted addresses. */
function httpsOnly(url: string): string {
  if (URL.canParse(url) && new URL(url).protocol === 'https:') return new URL(url).href
  throw new HostError('refused', 'Only https links are opened.')
}
