/** A trace as `trace show --json` of the original prints it, as far as its text tells of it. */
export interface Trace {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly assigned?: string | null;
  readonly created_at?: string | null;
  readonly started_at?: string | null;
  readonly completed_at?: string | null;
  readonly operations: readonly TracedOperation[];
  readonly agent_runs: readonly TracedRun[];
  readonly summary: TraceSummary;
}

interface TracedOperation {
  readonly timestamp: string;
  readonly op: string;
  readonly actor?: string | null;
  readonly detail: unknown;
}

interface TracedRun {
  readonly timestamp: string;
  readonly output_bytes?: number;
  readonly output_lines?: number;
  readonly turns?: number;
  readonly tool_calls?: number;
  readonly prompt?: string;
  readonly output?: string;
}

interface TraceSummary {
  readonly duration_human?: string;
  readonly operation_count: number;
  readonly agent_run_count: number;
  readonly total_turns?: number;
  readonly total_tool_calls?: number;
  readonly total_output_bytes?: number;
}

const KIB = 1_024;
const DETAIL_CHARACTERS = 120;

/** A trace in the words of the original; `isFull` with the prompts and outputs of its runs. */
export function traceText(trace: Trace, isFull: boolean): string {
  const { operations, agent_runs: runs } = trace;
  return [
    ...headOf(trace),
    '',
    ...summaryOf(trace.summary),
    '',
    operations.length === 0 ? 'Operations: (none)' : `Operations (${operations.length}):`,
    ...operations.flatMap((one) => operationLines(one, DETAIL_CHARACTERS)),
    '',
    runs.length === 0 ? 'Agent runs: (none)' : `Agent runs (${runs.length}):`,
    ...runs.flatMap((run, index) => (isFull ? fullRun(run, index + 1) : briefRun(run, index + 1))),
  ].join('\n');
}

/** Only the operations of a trace. */
export function operationsText({ id, operations }: Trace): string {
  if (operations.length === 0) return `No operations recorded for task '${id}'`;
  const lines = operations.flatMap((one) => operationLines(one, Number.POSITIVE_INFINITY));
  return [`Operations for '${id}' (${operations.length} entries):`, '', ...lines].join('\n');
}

function headOf({ id, title, status, assigned, created_at, started_at, completed_at }: Trace): readonly string[] {
  const rows = { Title: title, Assigned: assigned, Created: created_at, Started: started_at, Completed: completed_at };
  return [`Trace: ${id} (${status})`, ...rowsOf(rows, '')];
}

function summaryOf(summary: TraceSummary): readonly string[] {
  const { total_output_bytes: bytes } = summary;
  const rows = {
    ...{ Duration: summary.duration_human, Operations: summary.operation_count, 'Agent runs': summary.agent_run_count },
    ...{ 'Total turns': summary.total_turns, 'Total tool calls': summary.total_tool_calls },
    'Total output': bytes === undefined ? undefined : sizeOf(bytes),
  };
  return ['Summary:', ...rowsOf(rows, '  ')];
}

function rowsOf(rows: Readonly<Record<string, unknown>>, indent: string): readonly string[] {
  const known = Object.entries(rows).filter(([, value]) => value !== undefined && value !== null);
  return known.map(([name, value]) => `${indent}${name}: ${value}`);
}

function operationLines({ timestamp, op, actor, detail }: TracedOperation, most: number): readonly string[] {
  const text = JSON.stringify(detail ?? {});
  const short = text.length > most ? `${text.slice(0, most - 3)}...` : text;
  const lines = [`  ${timestamp} ${op}${actor ? ` by ${actor}` : ''}`];
  return text === '{}' ? lines : [...lines, `    ${short}`];
}

function briefRun(run: TracedRun, number: number): readonly string[] {
  const { output_bytes: bytes, output_lines: lines, turns, tool_calls: calls } = run;
  const output = bytes === undefined ? [] : [`    Output: ${(bytes / KIB).toFixed(1)} KB (${lines ?? 0} lines)`];
  const counts = [
    ...(turns === undefined ? [] : [`Turns: ${turns}`]),
    ...(calls === undefined ? [] : [`Tool calls: ${calls}`]),
  ];
  return [
    `  Run ${number} [${run.timestamp}]`,
    ...output,
    ...(counts.length === 0 ? [] : [`    ${counts.join(', ')}`]),
  ];
}

function fullRun({ timestamp, prompt, output }: TracedRun, number: number): readonly string[] {
  const part = (name: string, text: string | undefined) =>
    text === undefined
      ? []
      : ['', `  [${name}] (${Buffer.byteLength(text)} bytes)`, ...linesOf(text).map((line) => `    ${line}`)];
  return ['', `--- Run ${number} [${timestamp}] ---`, ...part('Prompt', prompt), ...part('Output', output)];
}

const linesOf = (text: string): readonly string[] => text.replace(/\n$/, '').split('\n');

const sizeOf = (bytes: number): string =>
  bytes > KIB * KIB ? `${(bytes / KIB / KIB).toFixed(1)} MB` : `${(bytes / KIB).toFixed(1)} KB`;
