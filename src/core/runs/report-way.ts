/**
 * The way in which an agent reports: by Troupe's tools, with the name prefix of its client, or by the command in its
 * shell. Never both.
 */
export type ReportWay = { readonly by: 'tools'; readonly prefix: string } | { readonly by: 'commands' };

/** Reports by placeholder name: the tool with its fields, and the words of the command. */
const VERBS = {
  log: { tool: 'task_log', fields: ['message'], words: 'log {{id}} "…"' },
  artifact: { tool: 'task_artifact', fields: ['paths'], words: 'artifact {{id}} PATH' },
  checkpoint: { tool: 'task_checkpoint', fields: ['summary'], words: 'checkpoint {{id}} -s "…"' },
  send: { tool: 'msg_send', fields: ['id', 'text'], words: 'msg send ID "…"' },
  say: { tool: 'team_say', fields: ['team', 'text'], words: 'team say TEAM "…"' },
  ask: { tool: 'Send', fields: ['member', 'message'], words: 'send NAME "…"' },
  reply: { tool: 'Reply', fields: ['message'], words: 'reply own "…"' },
  'reply-to': { tool: 'Reply', fields: ['conversation_id', 'message'], words: 'reply CONVERSATION "…"' },
  escalate: { tool: 'Escalate', fields: ['question'], words: 'escalate "…"' },
  give: {
    tool: 'team_task',
    fields: ['team', 'title', 'to', 'description'],
    words: 'team task TEAM "TITLE" --to NAME -d "…"',
  },
  wait: { tool: 'task_wait', fields: ['until', 'checkpoint'], words: 'wait {{id}} --until CONDITION --checkpoint "…"' },
  done: { tool: 'task_done', fields: [], words: 'done {{id}}' },
  converged: { tool: 'task_done', fields: ['converged'], words: 'done {{id}} --converged' },
  fail: { tool: 'task_fail', fields: ['reason'], words: 'fail {{id}} --reason "…"' },
  add: { tool: 'task_add', fields: ['title', 'after', 'description'], words: 'add "TITLE" --after {{id}} -d "…"' },
  list: { tool: 'task_list', fields: [], words: 'list' },
  show: { tool: 'task_show', fields: ['id'], words: 'show ID' },
  ready: { tool: 'task_ready', fields: [], words: 'ready' },
  'func-show': { tool: 'func_show', fields: ['id'], words: 'playbooks ID' },
  'func-apply': { tool: 'func_apply', fields: ['id', 'input'], words: 'func apply ID --input NAME=VALUE' },
  commit: { tool: 'task_commit', fields: ['message'], words: 'commit {{id}} -m "…"' },
  submit: {
    tool: 'task_submit',
    fields: ['title', 'content', 'path', 'summary'],
    words: 'team submit {{id}} --file FILE --summary "…"',
  },
  review: { tool: 'task_review', fields: ['verdict', 'feedback'], words: 'team review {{id}} VERDICT --feedback "…"' },
  'hand-in': {
    tool: 'formation_hand_in',
    fields: ['name', 'content'],
    words: 'formation hand-in {{id}} --name NAME --content "…"',
  },
  'hand-in-read': { tool: 'formation_read', fields: ['run', 'file'], words: 'playbook status RUN --files FILE' },
  'artifact-get': { tool: 'artifact_get', fields: ['id'], words: 'team artifacts ID --get' },
} as const;

export type Verb = keyof typeof VERBS;
export const REPORT_VERBS: Readonly<Record<Verb, { tool: string; fields: readonly string[]; words: string }>> = VERBS;

/** Replacement for each verb in the texts: `mcp__troupe__task_log` (`message`), or `troupe log ID "…"`. */
export function verbsOf(way: ReportWay, program: string, id: string): Readonly<Record<Verb | 'own', string>> {
  const verbs = Object.entries(REPORT_VERBS).map(([verb, { tool, fields, words }]) => {
    if (way.by === 'commands') return [verb, `\`${program} ${words.replaceAll('{{id}}', id)}\``];
    const named = fields.map((field) => `\`${field}\``).join(', ');
    return [verb, `\`${way.prefix}${tool}\`${named === '' ? '' : ` (${named})`}`];
  });
  const own = way.by === 'tools' ? `tools \`${way.prefix}…\`` : `commands of \`${program}\``;
  return { ...Object.fromEntries(verbs), own };
}
