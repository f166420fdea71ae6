// `formation hand-in|read`: members of panels and sweeps hand in their files and read others.

import path from 'node:path';
import * as z from 'zod/mini';
import type { EventDraft } from '#core/graph/event.js';
import { artifactTask, checkFence } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { type FormationPlace, placeOf, runFolder } from '#core/playbooks/formation.js';
import { checkDecision, readDecision } from '#core/playbooks/panel-decision.js';
import { readNote } from '#core/playbooks/panel-note.js';
import { panelState } from '#core/playbooks/panel-steps.js';
import { checkedRecord, type FormationRecord, recordEvent } from '#core/playbooks/record.js';
import { readScout } from '#core/playbooks/scout-entries.js';
import { seatFilesOf } from '#core/playbooks/seat-files.js';
import { mergeFacts, partitionIn } from '#core/playbooks/sweep-steps.js';
import { readSynthesis } from '#core/playbooks/synthesis.js';
import { readJudgements } from '#core/playbooks/verification.js';
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { HANDOFF_LIMITS } from '#kernel/limits/handoffs.js';
import { PANEL_LIMITS } from '#kernel/limits/panel.js';
import { SWEEP_LIMITS } from '#kernel/limits/sweep.js';
import { redact } from '#kernel/secrets.js';
import { cut, inert } from '#kernel/text.js';
import type { FilesContext, GraphContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { TASK_ID } from '#operations/options.js';
import { attemptOf } from '#operations/review/attempt.js';
import { moveOptions, moverOf, text } from '#operations/shapes.js';
import { givenBytes } from '#operations/teamwork/artifacts.js';
import type { FormationFile } from '#ports/formation-files.js';
import { handedOver } from './hand-in.js';
import { handedIn, keptFindings } from './run-files.js';

/**
 * Hands in a file of a seat of a crew, panel or sweep. Its form is checked first: content that no later step could use
 * is refused while the client can still fix it. A crew's file is written to the worktree of the attempt and merged with
 * its work: no client has to write below `.claude/`, which some refuse.
 */
export const handIn = operation({
  name: 'formation.hand-in',
  command: 'formation hand-in',
  group: 'Plans',
  kind: 'write',
  forRuns: 'own',
  forPrograms: true,
  summary: 'Submit a file of a crew, panel or sweep task; an unusable one is refused',
  examples: [
    'troupe formation hand-in 20261123-drop-the-queue-1f0c-skeptic --file note.md',
    'troupe formation hand-in 20261123-drop-the-queue-1f0c-decision --file decision.md',
  ],
  input: z.strictObject({
    id: TASK_ID,
    name: option('Which of its files, where it has several', text, { value: 'NAME' }),
    content: option('The content', text, { value: 'TEXT' }),
    path: option('A file in the working folder', text, { flag: 'file', value: 'FILE', path: 'always' }),
  }),
  output: z.object({
    id: z.string(),
    run: z.string(),
    file: z.string(),
    sha256: z.string(),
    /** Parts that will not be used, with reasons. */
    notes: z.array(z.string()),
  }),
  async run(context: GraphContext & FilesContext, { id, name: wanted, content, path: named }) {
    const store = await context.graph();
    const view = await store.view();
    const task = taskOf(view, id);
    const { record, file, name } = deskOf(view, task, wanted);
    checkFence(view, task, moverOf(context));
    const attempt = await attemptOf(context, task);
    const bytes = await givenBytes(context, { content, file: named }, attempt?.folder);
    const words = redact(new TextDecoder().decode(bytes));
    const isCrew = record.formation === 'crew';
    checkSize(words, isCrew ? HANDOFF_LIMITS.fileBytes : maxBytesOf(name));
    const notes = isCrew ? [] : await checkForm(context, { view, record, name, words });
    // A caller that lost its claim meanwhile is refused by the graph, before the file is written.
    const hash = sha256(words);
    await store.commit((now) => {
      const plan = artifactTask(now, id, [file], moveOptions(context, {}));
      // A crew's file is pinned when its phase is accepted.
      const pins = isCrew ? [] : [pinEvent(now, record.run, name, hash, context.caller.name)];
      return { ...plan, events: [...plan.events, ...pins] };
    }, context.request);
    const within = isCrew ? attempt?.folder : undefined;
    await (await context.formationFiles()).write(runFolder(record.formation, record.run), name, words, within);
    return { id, run: record.run, file, sha256: hash, notes };
  },
});

/**
 * Record and file of a task's hand-in. Errors: `bad_input` for a task that hands in nothing this way, or another file
 * name.
 */
function deskOf(view: GraphView, task: Task, wanted: string | undefined) {
  const seat = seatFilesOf(task);
  const record = seat === undefined ? undefined : checkedRecord(view, seat.run);
  if (seat === undefined || record?.tasks.includes(task.id) !== true) {
    throw new TroupeError('bad_input', {
      what: `${task.id} is not a task of a crew, panel or sweep that submits a file.`,
      hint: 'Register files of other tasks with `troupe artifact ID PATH`.',
      details: { id: task.id },
    });
  }
  const names = [...seat.files.keys()];
  const [only = ''] = names;
  const name = wanted ?? (names.length === 1 ? only : undefined);
  const file =
    name === undefined ? undefined : (seat.files.get(name) ?? [...seat.files.values()].find((one) => one === name));
  if (name === undefined || file === undefined) {
    throw new TroupeError('bad_input', {
      what:
        name === undefined
          ? `${task.id} hands in ${names.length} files.`
          : `${task.id} hands in no file ${inert(cut(name, 120))}.`,
      hint: `Name it with \`name\`: ${names.join(', ')}.`,
    });
  }
  return { record, file, name: names.find((one) => seat.files.get(one) === file) ?? name };
}

/** Event that pins a file to its hash. */
function pinEvent(view: GraphView, run: string, file: string, hash: string, actor: string): EventDraft {
  const record = checkedRecord(view, run);
  const pinned = { ...record, handoffs: { ...record.handoffs, [file]: hash } };
  return recordEvent(view, pinned, 'formation_hand_in', { actor, detail: { file } });
}

function maxBytesOf(name: string): number {
  if (name.endsWith('.yaml')) return SWEEP_LIMITS.scoutBytes;
  return name === 'decision.md' ? PANEL_LIMITS.decisionBytes : PANEL_LIMITS.noteBytes;
}

function checkSize(words: string, most: number): void {
  const bytes = Buffer.byteLength(words);
  if (words.trim() === '') throw new TroupeError('bad_input', { what: 'The submission is empty.' });
  if (bytes > most) throw new TroupeError('too_large', { what: `It has ${bytes} bytes; the limit is ${most}.` });
}

interface Submission {
  readonly view: GraphView;
  readonly record: FormationRecord;
  readonly name: string;
  readonly words: string;
}

/** Refuses unusable content; returns notes about parts that will not be used. */
async function checkForm(
  context: Pick<Context, 'formationFiles'>,
  { view, record, name, words }: Submission,
): Promise<string[]> {
  const folder = name.split('/')[0] ?? '';
  if (folder.startsWith('round-')) {
    const reading = readNote(words);
    if ('problem' in reading) throw unusable(`The note cannot be used: ${reading.problem}.`);
    const { uncounted } = reading.note;
    return uncounted > 0 ? [`${uncounted} points are not counted: without a move, or over the limit.`] : [];
  }
  if (name === 'decision.md') {
    const steelman = await handedIn(context, record, 'steelman.md', PANEL_LIMITS.noteBytes);
    const seats = record.seats.map((seat) => seat.name);
    checkDecision(readDecision(words, seats), panelState(view, record, steelman.text !== undefined));
    return [];
  }
  if (!name.endsWith('.yaml')) return [];
  const parsed = await (await context.formationFiles()).parse(words);
  if ('problem' in parsed) throw unusable(`It cannot be used: ${parsed.problem}.`);
  if (folder === 'verify') {
    readJudgements(parsed.data, requestedIds(record, name));
    return [];
  }
  if (name === 'synthesis.yaml') {
    const entries = new Set((await keptFindings(context, record)).map(({ id }) => id));
    const { findings, dropped } = readSynthesis(parsed.data, entries);
    if (findings.length === 0) throw unusable('It has no finding that cites an entry of findings.yaml.');
    return dropped > 0 ? [`${dropped} findings cite no entry of findings.yaml: they will be dropped.`] : [];
  }
  const { schema } = partitionIn(record);
  const { entries, rejected, thin } = readScout(path.posix.basename(name, '.yaml'), parsed, schema);
  const whole = rejected.find(({ entry }) => entry === undefined);
  if (whole) throw unusable(`It cannot be used: ${whole.reason}.`);
  const few = entries.length < SWEEP_LIMITS.floor && thin === undefined;
  return [
    ...rejected.slice(0, 20).map(({ entry = 0, reason }) => `entry ${entry} will be rejected: ${reason}`),
    ...(few ? [`${entries.length} of at least ${SWEEP_LIMITS.floor} entries: say why with \`thin:\`.`] : []),
  ];
}

/** Ids that a file of verdicts must cover. */
export function requestedIds(record: FormationRecord, name: string): readonly string[] {
  const { sample, inFull } = mergeFacts(record);
  return name === 'verify/sample.yaml' ? sample : (inFull[path.posix.basename(name, '.yaml')] ?? []);
}

function unusable(what: string): TroupeError {
  return new TroupeError('bad_input', { what: cut(inert(what), 400), hint: 'Fix it and submit it again.' });
}

/**
 * A file of a run, or the names of all its present and expected files. Refuses runs that must not see the work of
 * parallel seats.
 */
export const readFile = operation({
  name: 'formation.read',
  command: 'formation read',
  group: 'Plans',
  kind: 'read',
  instead: 'playbook status --files',
  summary: 'Show a file of a run, or list its files',
  examples: [
    'troupe playbook status 20261123-drop-the-queue-1f0c --files',
    'troupe playbook status 20261123-drop-the-queue-1f0c decision.md --files',
  ],
  input: z.strictObject({
    run: argument('The run', z.string()),
    file: argument('A file in its folder; default: list them', text),
  }),
  output: z.object({
    run: z.string(),
    folder: z.string(),
    files: z.array(z.string()),
    file: z.nullable(z.string()),
    text: z.nullable(z.string()),
    sha256: z.nullable(z.string()),
  }),
  async run(context: GraphContext & FilesContext, { run, file }) {
    const view = await (await context.graph()).view();
    const record = checkedRecord(view, run);
    const folder = runFolder(record.formation, run);
    if (file === undefined) return { run, folder, files: filesOf(view, record), file: null, text: null, sha256: null };
    const name = file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
    refuseParallelSeat(context, view, run, name);
    const read = await fileOf(context, record, name);
    if (read.text === undefined) {
      throw new TroupeError('not_found', {
        what: `${cut(inert(name), 120)} of ${run}: ${read.problem.replace(/\.$/, '')}.`,
        hint: `\`troupe playbook status ${run} --files\` lists them.`,
      });
    }
    return { run, folder, files: [], file: name, text: read.text, sha256: read.sha256 };
  },
});

/** Handoffs of a crew are read from where its next phase finds them. */
async function fileOf(
  context: GraphContext & FilesContext,
  record: FormationRecord,
  name: string,
): Promise<FormationFile> {
  const { formation, run } = record;
  const handed = formation === 'crew' ? (await handedOver(context, record)).get(name) : undefined;
  if (handed !== undefined && 'text' in handed) return handed;
  return await (await context.formationFiles()).read(runFolder(formation, run), name, SWEEP_LIMITS.synthesisBytes);
}

function filesOf(view: GraphView, record: FormationRecord): string[] {
  const folder = `${runFolder(record.formation, record.run)}/`;
  const handed = record.tasks.flatMap((id) => view.task(id)?.deliverables ?? []);
  const inside = handed.filter((file) => file.startsWith(folder)).map((file) => file.slice(folder.length));
  const made = {
    crew: [],
    panel: ['votes.md'],
    sweep: ['schema.yaml', 'findings.yaml', 'rejected.yaml', 'sample.yaml', 'report.md'],
  };
  return [...new Set([...inside, ...made[record.formation]])];
}

/** Folders with independently written files: reason for the refusal, by folder. */
const APART_BECAUSE: Readonly<Record<string, string>> = {
  'round-1': 'Seats write their first note without reading the others.',
  scouts: 'Scouts look at their own slice without reading what others found.',
  again: 'Scouts look at their own slice without reading what others found.',
};

function refuseParallelSeat({ caller }: Pick<Context, 'caller'>, view: GraphView, run: string, name: string): void {
  if (caller.kind !== 'run') return;
  const task = view.task(caller.taskId);
  const place: FormationPlace | undefined = placeOf(task?.tags);
  const [own = ''] = task?.deliverables ?? [];
  const folder = path.posix.basename(path.posix.dirname(own));
  const wanted = path.posix.normalize(name);
  if (place?.run !== run || !(folder in APART_BECAUSE) || path.posix.dirname(wanted) !== folder) return;
  if (own.endsWith(`/${wanted}`)) return;
  throw new TroupeError('not_yours', {
    what: APART_BECAUSE[folder] ?? '',
    hint: 'Hand in your own file.',
  });
}
