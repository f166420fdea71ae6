import { readdirSync } from 'node:fs';
import path from 'node:path';
import { isAsWritten } from '#core/graph/entries.js';
import { type ParsedGraph, parseGraph } from '#core/graph/line.js';
import type { GraphState } from '#core/graph/state.js';
import { mainLine } from '#core/history/log-history.js';
import { sameNode } from '#core/history/merge-node.js';
import { asWritten } from '#core/history/node-versions.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { sha256 } from '#kernel/hash.js';
import { parseJsonObject } from '#kernel/json.js';
import { plural } from '#kernel/text.js';
import type { GraphFinding, StoreProblem } from '#ports/graph-store.js';
import type { LockHolder } from '#ports/processes.js';
import { readText } from './disk.js';
import { gitFile, missingLines, WANTED_LINES } from './initialise.js';
import { legacyFiles, legacyText } from './legacy-log.js';
import { convertedFiles } from './line-ends.js';
import { type LogReading, readLog } from './log-file.js';
import { stateOfLog } from './log-pieces.js';
import { graphProblems, loadStore, logProblems, readMarks } from './store-load.js';

const NAMED_MOST = 10;

/** Entries are chained by their hashes: a line that was changed or removed by hand leaves the chain broken. */
const RESTORE =
  'While no service runs, restore it: with `git checkout HEAD -- .workgraph/operations.jsonl` if it was committed, else from a backup. The next change records what graph.jsonl has beyond it.';

const REMEDIES: Readonly<Record<string, string>> = {
  corrupt: 'Fix the line in an editor, or remove it; until then it is kept and skipped.',
  duplicate_id: 'Remove the lines that are not used.',
  conflict: 'Nothing to do: the next command merges both sides.',
  newer_format: 'Install the version that wrote it: this one only reads.',
  merged: 'Check it with `troupe list`; the next command records it.',
};

/** Examines the files of a graph without writing. */
export async function examineFiles(paths: GraphLayout, holder: LockHolder | undefined): Promise<GraphFinding[]> {
  const text = readText(paths.graph) ?? '';
  const parsed = parseGraph(text);
  const log = readLog(paths.log);
  const { pending, problems } = loadStore(paths);
  const listed = [...graphProblems(paths.graph, parsed), ...logProblems(paths.log, log)];
  const others = problems.filter(
    (problem) => !listed.some((one) => one.code === problem.code && one.line === problem.line),
  );
  return [
    ...[...listed, ...others].map(asFinding),
    ...tornEnd(paths, log),
    ...aboutPending(pending.map(({ op }) => op)),
    ...aboutLines(paths, log),
    ...aboutReplay(paths, text, parsed, log),
    ...aboutLock(paths, holder),
    ...aboutLeftovers(paths),
    ...aboutLineEnds(paths),
    ...aboutGitFiles(paths),
    ...(await aboutOldHistory(paths)),
  ];
}

function asFinding(problem: StoreProblem): GraphFinding {
  const isOfLog = problem.code === 'corrupt' && (problem.file ?? '').endsWith('operations.jsonl');
  const repairable = isOfLog && problem.text.includes('conflict marker');
  const ofLog = repairable ? 'Run `troupe doctor --repair`: it removes the marker.' : RESTORE;
  const remedy = isOfLog ? ofLog : (REMEDIES[problem.code] ?? 'Check the file.');
  return { ...problem, text: sentence(problem.text), remedy, repairable };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function tornEnd(paths: GraphLayout, log: LogReading): GraphFinding[] {
  if (log.size <= log.end) return [];
  return [
    {
      severity: 'warning',
      code: 'torn',
      text: `The last ${log.size - log.end} bytes of the log are incomplete: they were never acknowledged.`,
      remedy: 'The next change moves them to .workgraph/service/lost+found/.',
      file: paths.log,
      repairable: true,
    },
  ];
}

function aboutPending(ops: readonly string[]): GraphFinding[] {
  const note = (code: string, text: string): GraphFinding[] => [
    { severity: 'note', code, text, remedy: 'The next command records it.', repairable: code !== 'adopt' },
  ];
  return [
    ...(ops.includes('hand_edit') ? note('hand_edit', 'graph.jsonl was changed by hand since it was written.') : []),
    ...(ops.includes('merge') ? note('merge', 'Branches were merged in the log.') : []),
    ...(ops.includes('adopt') ? note('adopt', 'The graph has no log yet: the first change adopts it unchanged.') : []),
  ];
}

/** Finds entries that changed after they were written, and entries whose predecessor is missing. */
function aboutLines(paths: GraphLayout, log: LogReading): GraphFinding[] {
  const findings: GraphFinding[] = [];
  const lines = (readText(paths.log) ?? '').split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    const id = parseJsonObject(line)?.['id'];
    if (typeof id !== 'string' || isAsWritten(line, id)) continue;
    findings.push({
      severity: 'error',
      code: 'log_edited',
      text: `The entry ${id} has been changed since it was written.`,
      remedy: RESTORE,
      file: paths.log,
      line: index + 1,
      repairable: false,
    });
  }
  const ids = new Set(log.entries.map((entry) => entry.id));
  const [, ...rest] = log.entries;
  for (const { seq, prev } of rest) {
    if (prev === undefined || ids.has(prev)) continue;
    findings.push({
      severity: 'error',
      code: 'log_broken',
      text: `The entry before number ${seq} is missing: its id was ${prev}.`,
      remedy: RESTORE,
      file: paths.log,
      repairable: false,
    });
  }
  return findings;
}

/** Checks that replaying the log reproduces the snapshot. */
function aboutReplay(paths: GraphLayout, text: string, parsed: ParsedGraph, log: LogReading): GraphFinding[] {
  const mark = readMarks(paths.mark).current;
  if (!mark || sha256(text) !== mark.graph_sha256) return [];
  const line = mainLine(log.entries);
  if (mark.last_id !== undefined && !line.some((entry) => entry.id === mark.last_id)) return [];
  const state = stateOfLog(paths, line, mark.seq);
  if (!state) {
    return [
      {
        severity: 'warning',
        code: 'log_piece',
        text: 'A log segment is missing or cannot be unpacked: earlier history cannot be shown.',
        remedy: 'Restore the files in .workgraph/log/ from version control or a backup.',
        file: paths.pieces,
        repairable: false,
      },
    ];
  }
  const different = differences(state, parsed);
  if (different.length === 0) return [];
  const named = different.slice(0, NAMED_MOST).join(', ');
  const more = different.length > NAMED_MOST ? ` and ${different.length - NAMED_MOST} more` : '';
  return [
    {
      severity: 'error',
      code: 'log_differs',
      text: `Replaying the log does not match graph.jsonl for ${named}${more}.`,
      remedy: 'The snapshot is used. If the log is right, run `troupe doctor --rebuild graph`.',
      file: paths.graph,
      repairable: false,
    },
  ];
}

function differences(state: GraphState, parsed: ParsedGraph): string[] {
  const ids = new Set([...parsed.nodes.keys(), ...[...state.nodes()].map((node) => node.id)]);
  return [...ids].sort().filter((id) => {
    const [logged, onDisk] = [state.node(id), parsed.nodes.get(id)];
    return !logged || !onDisk || !sameNode(asWritten(logged), asWritten(onDisk));
  });
}

function aboutLock(paths: GraphLayout, holder: LockHolder | undefined): GraphFinding[] {
  if (!holder || holder.state === 'alive') return [];
  const { code, severity, text } = {
    unreadable: { code: 'lock_unreadable', severity: 'error', text: 'The write lock has no owner.' } as const,
    dead: {
      code: 'lock_stale',
      severity: 'warning',
      text: `The write lock was left by ${holder.who}, which is gone.`,
    } as const,
    unknown: {
      code: 'lock_elsewhere',
      severity: 'warning',
      text: `The write lock is held by ${holder.who}: whether it is alive cannot be determined from here.`,
    } as const,
  }[holder.state];
  const remedy = holder.gone
    ? 'The next writer takes it over.'
    : 'It is taken over if it is not renewed for a minute; `troupe doctor --repair` takes it at once.';
  return [{ severity, code, text, remedy, file: paths.lock, repairable: true }];
}

/** Reports drafts of killed processes, and files set aside for a person. */
function aboutLeftovers(paths: GraphLayout): GraphFinding[] {
  const drafts = draftsIn(paths).map(
    (file): GraphFinding => ({
      severity: 'note',
      code: 'leftover',
      text: 'A temporary file was left by a killed process.',
      remedy: 'It is harmless and can be removed.',
      file,
      repairable: true,
    }),
  );
  const aside = namesIn(paths.lostAndFound);
  if (aside.length === 0) return drafts;
  const text = `Torn or damaged pieces that were set aside: ${aside.length}.`;
  const remedy = 'Check them, then remove what you do not need.';
  return [
    ...drafts,
    { severity: 'note', code: 'lost_found', text, remedy, file: paths.lostAndFound, repairable: false },
  ];
}

export function draftsIn(paths: GraphLayout): string[] {
  const names = namesIn(paths.service).filter((name) => /\.draft(\.|$)/.test(name));
  return names.map((name) => path.join(paths.service, name));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/** Reports files whose line ends git converted: `core.autocrlf` does that unless an attribute forbids it. */
function aboutLineEnds(paths: GraphLayout): GraphFinding[] {
  const changed = convertedFiles(paths);
  const [file] = changed;
  if (file === undefined) return [];
  return [
    {
      severity: 'error',
      code: 'line_ends',
      text: `git changed the line ends of ${plural(changed.length, 'file')} of the project.`,
      remedy: 'Run `troupe doctor --repair`: it writes them as they were committed, and tells git to leave them alone.',
      file,
      repairable: true,
    },
  ];
}

function aboutGitFiles(paths: GraphLayout): GraphFinding[] {
  return (Object.keys(WANTED_LINES) as (keyof typeof WANTED_LINES)[]).flatMap((name): GraphFinding[] => {
    const file = gitFile(paths, name);
    const missing = missingLines(file, name);
    if (missing.length === 0) return [];
    const why =
      name === '.gitattributes'
        ? 'git could change line ends, and would not merge the log'
        : 'git would keep what belongs to one machine';
    return [
      {
        severity: 'warning',
        code: 'git_files',
        text: `${name} lacks ${missing.map((line) => `"${line}"`).join(', ')}: ${why}.`,
        remedy: 'Run `troupe init` again: it adds them.',
        file,
        repairable: true,
      },
    ];
  });
}

/** The history of another tool is read-only; unreadable parts are reported here. */
async function aboutOldHistory(paths: GraphLayout): Promise<GraphFinding[]> {
  const findings: GraphFinding[] = [];
  for (const source of legacyFiles(paths)) {
    const { problem } = await legacyText(source);
    if (problem === undefined) continue;
    findings.push({
      severity: 'warning',
      code: 'old_history',
      text: `A history file of another tool ${problem}.`,
      remedy: 'Restore the file from version control, or ignore it: nothing else depends on it.',
      file: source.file,
      repairable: false,
    });
  }
  return findings;
}
