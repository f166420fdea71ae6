import { Writable } from 'node:stream';
import { expect, onTestFinished } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject } from '#kernel/json.js';
import { composeProject } from '#main/compose.js';
import { projectAt } from '#main/project.js';
import { callOperation } from '#operations/call.js';
import type { OperationName } from '#operations/map.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import { OPERATIONS } from '#operations/table.js';
import type { CommandHost } from '#surfaces/cli/host.js';
import { runCommandLine } from '#surfaces/cli/program.js';
import { rendererOf } from '#surfaces/cli/renderers.js';
import { makeScreen, type ScreenOptions } from '#surfaces/cli/terminal.js';
import { holdAnswer } from '../answers.js';
import { wordsOf } from '../house/quoted-commands.js';
import { repository } from '../repository.js';
import { verifies } from '../verifies.js';

/** Stands for a stream that is no terminal. */
class Sink extends Writable {
  text = '';
  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** What an example names and this project lacks, or has in another state. Anything else is the example's own fault. */
const STATES = [
  ...['not_found', 'unknown_task', 'unknown_function', 'unknown_executor', 'unknown_review', 'unknown_workflow'],
  ...['wrong_status', 'terminal_task', 'not_ready', 'nothing_to_resume', 'not_evaluable', 'in_use', 'no_proposal'],
  ...['no_model', 'requires_choice', 'session_open', 'sync_state_changed', 'workflow_not_allowed'],
  ...[
    'service_not_running',
    'no_client',
    'config_not_found',
    'agent_unknown',
    'no_team',
    'not_assignee',
    'notify_unconfigured',
  ],
  'not_waiting_review',
  ...['forge_failed', 'forge_missing'], // the project has no remote, and neither program is installed
  ...['executor_missing', 'confirmation_needed'], // no client is installed here, and nobody sits at a terminal
  'role_not_found',
  ...['not_in_database', 'database_not_chosen', 'database_away'], // the project is in files, and there is no database here
  ...['unresolved_member', 'routing_refused', 'conversation_unknown', 'not_a_participant'],
  // Other examples have archived the team by then; a folder to share with is elsewhere; what only a run of its task may do.
  ...['team_archived', 'unknown_peer', 'unreadable', 'not_yours', 'model_required', 'candidate_stale'],
];

/** A value that reached a person as the program writes it. */
const SLIPS = /\bundefined\b|\bNaN\b|\[object \w+\]|\{\{\w+\}\}/;

verifies(['hold.switches', 'test.bites'], 'every example of every help runs', async () => {
  const folder = repository({ 'README.md': '# Sample\n', 'package.json': '{"name":"sample"}\n' });
  const before = process.cwd();
  process.chdir(folder); // where a person would stand: some examples write a file there
  onTestFinished(() => process.chdir(before));
  const project = composeProject(projectAt(folder));
  const changes = new Map<OperationName, { readonly changed: boolean }>();
  const [out, err] = [new Sink(), new Sink()];
  const host = {
    ...{ environment: {}, folder, input: { isTTY: false }, out, err },
    call: async (spec: OperationSpec, input: unknown) => {
      const answer = await callOperation(spec, project.context({ kind: 'person', name: 'tess' }), input);
      await holdAnswer(spec, answer);
      if (isChange(answer)) changes.set(spec.name as OperationName, answer);
      return answer;
    },
    caller: async () => ({ kind: 'person', name: 'tess' }),
    serviceAnswers: async () => false,
    stopService: async () => Promise.reject(new TroupeError('service_not_running')),
    ask: async () => undefined,
    openLog: async () => Promise.reject(new TroupeError('not_initialized')),
    findProject: () => folder,
    reading: () => undefined,
  } as unknown as CommandHost;
  const type = async (example: string): Promise<string | undefined> => {
    [out.text, err.text] = ['', ''];
    const code = await runCommandLine(wordsOf(example).slice(1), host);
    const refusal = /^error\[(\w+)\]|^\{"error":\{"code":"(\w+)"/.exec(err.text);
    const why = refusal?.[1] ?? refusal?.[2];
    const slip = SLIPS.exec(out.text) ?? SLIPS.exec(err.text);
    if (slip) return `${example} prints ${slip[0]}: ${out.text.slice(0, 300)}`;
    if (code === 0 && out.text.trim() === '' && err.text.trim() === '') return `${example} prints nothing`;
    return code === 0 || why === undefined || STATES.includes(why)
      ? undefined
      : `${example}: ${err.text.slice(0, 200)}`;
  };
  const wrong: (string | undefined)[] = [await type('troupe init')];
  for (const { examples } of OPERATIONS) for (const example of examples) wrong.push(await type(example));
  await project.close();
  expect(wrong.filter((line) => line !== undefined)).toEqual([]);
  expect(wrong.length).toBeGreaterThan(300);
  expect(await alikeOf(changes)).toEqual([]);
  expect(changes.size).toBeGreaterThan(30);
});

const isChange = (answer: unknown): answer is { readonly changed: boolean } =>
  isJsonObject(answer) && typeof answer['changed'] === 'boolean';

/** Its answer says with every file whether something changed; the word alone never differs from that. */
const TOLD_BY_FILES: readonly string[] = ['squad.migrate'];

/** Operations that print the same whether something changed or not. */
async function alikeOf(changes: ReadonlyMap<OperationName, { readonly changed: boolean }>): Promise<string[]> {
  const alike: string[] = [];
  for (const [name, answer] of changes) {
    if (TOLD_BY_FILES.includes(name)) continue;
    const print = await rendererOf(name);
    const texts = await Promise.all(
      [true, false].map(async (changed) => {
        const sink = new Sink();
        const screen = makeScreen({ ...streams(sink), environment: {} });
        await print({ ...answer, changed }, screen, { serviceAnswers: async () => false });
        return sink.text;
      }),
    );
    if (texts[0] === texts[1]) alike.push(`${name}: ${texts[0]}`);
  }
  return alike;
}

/** Of a stream the screen only writes to it and asks whether it is a terminal. */
const streams = (sink: Sink) => ({ out: sink, err: sink }) as unknown as Pick<ScreenOptions, 'out' | 'err'>;
