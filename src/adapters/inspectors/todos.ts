import type { TrackedFileReader } from '#adapters/inspectors/tracked-files.js';
import { isMarkdown } from '#core/review/facts.js';
import { type Finding, finding } from '#core/review/finding.js';
import { isGeneratedPath, isGeneratedText, isTestData } from '#core/review/samples.js';
import { TODO_WORDS, type TodoWord, todoMarks } from '#core/review/todos.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { compareText } from '#kernel/order.js';
import { redact } from '#kernel/secrets.js';
import { inert } from '#kernel/text.js';
import type { InspectionResult } from '#ports/inspector.js';

/** Minimum length of a note for detecting copied files by it; shorter notes recur independently. */
const TELLING_CHARACTERS = 30;

/** Counts TODO, FIXME, XXX and HACK notes, with one finding per file. */
export async function todos(reader: TrackedFileReader, files: readonly string[]): Promise<InspectionResult> {
  const counts: Record<TodoWord, number> = { FIXME: 0, XXX: 0, HACK: 0, TODO: 0 };
  const perFile: { file: string; count: number }[] = [];
  const findings: Finding[] = [];
  /** File in which each note was first seen: copies of that file are not counted. */
  const places = new Map<string, string>();
  const isCopy = (file: string, note: string): boolean => {
    if (note.length < TELLING_CHARACTERS) return false;
    if (!places.has(note)) places.set(note, file);
    return places.get(note) !== file;
  };
  for await (const { file, text } of reader.texts(
    files.filter((name) => !isGeneratedPath(name) && !isTestData(name)),
  )) {
    if (isGeneratedText(text)) continue;
    const marks = todoMarks(text, isMarkdown(file)).filter((mark) => !isCopy(file, mark.text));
    if (marks.length === 0) continue;
    perFile.push({ file, count: marks.length });
    for (const mark of marks) counts[mark.word]++;
    const [first] = marks;
    if (first && findings.length < SURFACE_LIMITS.inspectFindings)
      findings.push(laterMarks(file, marks.length, first.line, inert(redact(first.text))));
  }
  perFile.sort((left, right) => right.count - left.count || compareText(left.file, right.file));
  const total = perFile.reduce((sum, row) => sum + row.count, 0);
  const totals = TODO_WORDS.map((word) => `${counts[word]} ${word}`).join(', ');
  return {
    command: 'search for TODO, FIXME, XXX and HACK over git ls-files',
    exit_code: 0,
    output: `${reader.files} files searched: ${totals}, in ${perFile.length} files.`,
    findings: [...findings, ...reader.findings('todos')],
    facts: { searched: reader.files, total, counts, files: perFile.slice(0, 20) },
  };
}

function laterMarks(file: string, count: number, line: number, text: string): Finding {
  return finding({
    severity: 'info',
    title: count === 1 ? 'A note left for later' : `${count} notes left for later`,
    detail: text,
    file,
    line,
    rule: 'todo',
    remedy: 'Do it, plan it, or delete the note.',
  });
}
