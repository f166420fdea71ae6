import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { clientProject, inRun, ownSettings } from './client-world.js';
import { asked, endEverything, textOf, troupe, until } from './program.js';
import { logOf } from './repository-world.js';

const LEAD = 'teaparty/coding/lead';

/** The office of the seed with one project, where Ann decides. */
function organise(cwd: string): void {
  const files = {
    '.teaparty/management/teaparty.yaml': [
      ...['name: Office', 'humans: {decider: Ann}', 'members: {projects: [TeaParty]}'],
      'projects: [{name: TeaParty, path: ., config: .teaparty/project/project.yaml}]',
    ],
    '.teaparty/project/project.yaml': [
      ...['name: TeaParty', 'lead: teaparty-lead', 'workgroups: [coding]', 'members: {workgroups: [coding]}'],
    ],
    '.teaparty/project/workgroups/coding.yaml': [
      ...['name: coding', 'lead: coding-lead', 'members: {agents: [developer, reviewer]}'],
    ],
  };
  for (const [file, lines] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(cwd, file)), { recursive: true });
    writeFileSync(path.join(cwd, file), `${lines.join('\n')}\n`);
  }
}

/** A client that leads or is led, as its prompt says: it asks both, and answers when it was told their answers. */
function client(): string {
  const folder = room();
  const script = `#!/bin/bash
cat > "$WG_RUN/prompt-seen"
echo '{"type":"system","subtype":"init","session_id":"s","model":"fake","tools":[],"mcp_servers":[]}'
echo '{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"at work"}],"usage":{"input_tokens":1,"output_tokens":1}}}'
say() { "$TROUPE_BIN" "$@" --json >> "$WG_RUN/said" 2>&1; echo "$?" >> "$WG_RUN/codes"; }
if ! grep -q '## Whom you may write to' "$WG_RUN/prompt-seen"; then
  say send coding-lead 'may I?'
  say reply own "done by $WG_TASK_ID"
elif grep -q 'reply in conversation' "$WG_RUN/prompt-seen"; then
  say reply own 'both have answered'
else
  say send developer 'Write it.'
  say send reviewer 'Read it.'
  say send om 'Look at me.'
  say done "$WG_TASK_ID"
fi
echo '{"type":"result","subtype":"success","is_error":false,"result":"over","num_turns":1,"total_cost_usd":0,"usage":{"input_tokens":1,"output_tokens":1},"session_id":"s"}'
`;
  writeFileSync(path.join(folder, 'claude'), script);
  chmodSync(path.join(folder, 'claude'), 0o755);
  return folder;
}

verifies(
  ['bus.fanin', 'bus.send.task', 'bus.identity'],
  'a person asks a lead, who asks two and is woken once by their answers; each speaks as itself and to whom it may',
  async () => {
    const cwd = await clientProject();
    organise(cwd);
    const env = { PATH: `${client()}:${process.env['PATH'] ?? ''}`, ANTHROPIC_API_KEY: 'k', ...ownSettings() };
    const sent = await asked<{ task_id: string; conversation_id: string }>(['send', LEAD, 'Get it done.'], { cwd });
    onTestFinished(() => endEverything(cwd));
    await asked(['service', 'start'], { cwd, env });
    const inbox = async () => (await asked<{ messages: { text: string }[] }>(['messages', 'inbox'], { cwd })).messages;
    await until('the answer', async () => (await inbox()).length > 0, 60_000);
    expect(await inbox()).toMatchObject([{ from: LEAD, text: 'both have answered', type: 'reply' }]);
    const runs = logOf(cwd).filter(({ op, task_id }) => op === 'spawn_agent' && task_id === sent.task_id);
    expect(runs).toHaveLength(2);
    const woken = logOf(cwd).filter(({ op, task_id }) => op === 'message' && task_id === sent.task_id);
    expect(woken.map(({ detail }) => detail?.['message_id'])).toEqual([`wake:${sent.task_id}:1`]);
    const [first, second] = runs.map(({ actor }) => String(actor));
    expect(textOf(inRun(cwd, first ?? '', 'codes'))).toBe('0\n0\n1\n1\n');
    const said = textOf(inRun(cwd, first ?? '', 'said'));
    for (const code of ['routing_refused', 'conversations_open']) expect(said).toContain(code);
    expect(textOf(inRun(cwd, second ?? '', 'prompt-seen')).match(/done by msg-/g)).toHaveLength(2);
    const leaf = logOf(cwd).find(({ op, task_id }) => op === 'spawn_agent' && task_id !== sent.task_id);
    expect(textOf(inRun(cwd, String(leaf?.actor), 'said'))).toContain('no_listener');
    await until('everything to be over', async () => {
      const { conversations } = await asked<{ conversations: { state: string }[] }>(['messages', 'list', '--all'], {
        cwd,
      });
      return conversations.length === 3 && conversations.every(({ state }) => state === 'closed');
    });
    expect((await troupe(['reply', sent.conversation_id, 'late'], { cwd })).stderr).toContain('conversation_closed');
  },
);
