import { inert } from '#kernel/text.js';
import { type AnswerOf, type Renderers, type Screen, sharedBy } from '#surfaces/cli/screen.js';
import { printTable } from '#surfaces/cli/table.js';

type Operation = AnswerOf<'evolve.apply'>['operations'][number];
type Made = Operation['made'];

const nameOf = ({ kind, id, name }: Made[number]) => `${kind} ${inert(name)} (${id.slice(0, 8)})`;

/** Outcome of an operation on one line. */
function comesTo({ made, retired, reason, code }: Pick<Operation, 'made' | 'retired' | 'reason' | 'code'>): string {
  const why = code === undefined ? reason : `${code}: ${reason}`;
  const parts = [...made.map(nameOf), ...retired.map((one) => `${nameOf(one)} is out of use`), why];
  return inert(parts.filter((part) => part !== '').join('; '));
}

function printOperations(screen: Screen, operations: readonly Operation[]): void {
  printTable(screen, operations, [
    ['#=index', 'OPERATION=op'],
    {
      title: 'STATUS',
      text: ({ status }) => status,
      paint: (text, { status }) => (status === 'applied' ? screen.colour.green(text) : screen.colour.yellow(text)),
    },
    { title: 'WHAT', text: (row) => comesTo(row), flexible: true },
  ]);
}

type Ran = Pick<AnswerOf<'evolve.apply'>, 'run' | 'summary' | 'operations' | 'waiting' | 'warnings'>;

function printRun(screen: Screen, { run, summary, operations, waiting, warnings }: Ran): void {
  if (summary !== '') screen.line(inert(summary));
  if (operations.length === 0) screen.line('Nothing was proposed.');
  else printOperations(screen, operations);
  for (const warning of warnings) screen.aside(`${screen.colour.yellow('note:')} ${inert(warning)}`);
  if (waiting.length > 0) screen.aside(`Next: \`troupe evolve review ${waiting[0]}\`.`);
  const isChanged = operations.some(({ status }) => status === 'applied' || status === 'held');
  const words = isChanged ? `Undo it with \`troupe evolve runs ${run} --rollback\`.` : 'Nothing was changed.';
  screen.aside(`${screen.colour.dim(run)}  ${words}`);
}

type Replay = NonNullable<AnswerOf<'evolve.review.show'>['replay']>;

function printReplay(screen: Screen, replay: Replay): void {
  screen.line('');
  if (replay.pairs.length > 0) {
    printTable(screen, replay.pairs, [
      ['TESTED ON=task_id…'],
      { title: 'BEFORE', text: ({ parent }) => parent.toFixed(2), right: true },
      { title: 'AFTER', text: ({ child }) => child.toFixed(2), right: true },
      { title: 'GAIN', text: ({ parent, child }) => signed(child - parent), right: true },
      { title: 'HOW', text: ({ kind }) => (kind === 'worktree' ? 'with files, by a client' : 'in text only') },
    ]);
  }
  for (const { task_id, why } of replay.pairs)
    if (why !== '') screen.aside(`${inert(task_id)} was repeated in text only: ${inert(why)}`);
  const [low, high] = replay.interval ?? [];
  if (replay.gain !== null && low !== undefined && high !== undefined)
    screen.line(`Overall ${signed(replay.gain)}, 95% interval ${signed(low)} to ${signed(high)}.`);
  for (const { task_id, reason } of replay.unusable) screen.aside(`${inert(task_id)} does not count: ${inert(reason)}`);
}

function signed(value: number): string {
  return `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(2)}`;
}

function cameTo({ counts, failure, rolled_back }: AnswerOf<'evolve.runs'>['runs'][number]): string {
  if (failure !== null) return inert(failure);
  const parts = Object.entries(counts).map(([status, count]) => `${count} ${status}`);
  return [parts.join(', ') || 'nothing', ...(rolled_back === null ? [] : ['rolled back'])].join('; ');
}

export const renderers = {
  'evolve.run': (answer, screen) => {
    const { prompt, run, summary = '', operations = [], waiting = [], warnings } = answer;
    if (prompt !== undefined) screen.line(inert(prompt, true).trimEnd());
    for (const warning of run === undefined ? warnings : [])
      screen.aside(`${screen.colour.yellow('note:')} ${inert(warning)}`);
    if (run !== undefined) printRun(screen, { run, summary, operations, waiting, warnings });
  },
  'evolve.apply': (answer, screen) => printRun(screen, answer),
  'evolve.review.list': ({ waiting, warnings }, screen) => {
    if (waiting.length === 0) screen.line('Nothing waits for you.');
    else {
      printTable(screen, waiting, [
        ['id'],
        { title: 'OPERATION', text: ({ operation }) => inert(operation.op) },
        { title: 'STATE', text: ({ state, operation }) => (state === 'pending' ? operation.status : state) },
        { title: 'WHY', text: ({ operation }) => inert(operation.reason), flexible: true },
      ]);
    }
    for (const warning of warnings) screen.aside(`${screen.colour.yellow('left out:')} ${inert(warning)}`);
  },
  'evolve.review.show': ({ waiting, difference, replay }, screen) => {
    const { id, operation, state } = waiting;
    screen.line(`${screen.colour.bold(id)}  ${inert(operation.op)}  ${state}`);
    screen.line(inert(operation.reason));
    if (operation.rationale !== '') screen.line(`Proposed because: ${inert(operation.rationale)}`);
    for (const { label, before, after } of difference) {
      screen.line('');
      screen.line(screen.colour.bold(label));
      if (before !== '') screen.line(screen.colour.red(`- ${inert(before)}`));
      if (after !== '') screen.line(screen.colour.green(`+ ${inert(after)}`));
    }
    if (replay) printReplay(screen, replay);
    if (state !== 'pending') return;
    screen.line('');
    screen.aside(
      `\`troupe evolve review ${id} --approve\` applies it, \`troupe evolve review ${id} --reject\` rejects it.`,
    );
  },
  ...sharedBy(['evolve.review.approve', 'evolve.review.reject'], ({ id, state, made, retired }, screen) => {
    screen.line(`${screen.colour.bold(id)} is ${state}.`);
    const what = comesTo({ made, retired, reason: '', code: undefined });
    if (what !== '') screen.line(`  ${what}`);
  }),
  'evolve.runs': ({ runs, operations, replays = [], warnings }, screen) => {
    if (runs.length === 0) screen.line('No run yet. `troupe evolve run --dry-run` shows what a model would be asked.');
    else {
      printTable(screen, runs, [
        ['RUN=id', 'strategy'],
        { title: 'BY', text: ({ model, started_by }) => inert(model ?? started_by) },
        { title: 'OUTCOME', text: cameTo, flexible: true },
      ]);
    }
    for (const operation of operations ?? []) {
      const { index, op, status, made, rationale } = operation;
      screen.line('');
      screen.line(`${screen.colour.bold(`${index}. ${inert(op)}`)}  ${status}`);
      screen.line(comesTo(operation));
      if (rationale !== '') screen.line(`Proposed because: ${inert(rationale)}`);
      const replay = replays.find(({ id }) => made.some((one) => one.id === id));
      if (replay) printReplay(screen, replay);
    }
    for (const warning of warnings) screen.aside(`${screen.colour.yellow('left out:')} ${inert(warning)}`);
  },
  'evolve.rollback': ({ run, retired, restored, warnings }, screen) => {
    const what = `${retired.length} retired, ${restored.length} restored`;
    screen.line(`${screen.colour.bold(run)} is rolled back: ${what}.`);
    for (const one of [...retired, ...restored]) screen.line(`  ${nameOf(one)}`);
    for (const warning of warnings) screen.aside(`${screen.colour.yellow('note:')} ${inert(warning)}`);
  },
} satisfies Partial<Renderers>;
