import { HANDOFF_LIMITS } from '#kernel/limits/handoffs.js';
import { cut, inert, plural } from '#kernel/text.js';
import {
  type BlockedReport,
  blockedReport,
  type Handoff,
  hasContent,
  MalformedHandoff,
  parseHandoff,
} from './handoff-file.js';
import { CREW_LINE, type Phase, PLAN_FILE, RELEASE } from './phases.js';
import { ambiguousLine, criteriaOf, judgeVerdicts } from './qa-verdicts.js';

/**
 * A file of the run's folder in its current state; `problem` is the reason why it cannot be read. A missing file is not
 * in the map.
 */
export type HandoffFile =
  | { readonly text: string; readonly sha256: string; readonly modifiedMs: number }
  | { readonly problem: string };

/** Files by name, such as `CONTRACT.md`. */
export type HandoffFiles = ReadonlyMap<string, HandoffFile>;

/** Data of a run stored outside its folder. */
export interface HandoffRecord {
  readonly line: readonly Phase[];
  /** SHA-256 of each accepted handoff, by file name. */
  readonly accepted: ReadonlyMap<string, string>;
  /** Hash of the CHANGES.md present when a QA.md was handed in, by the hash of that QA.md. */
  readonly judged: ReadonlyMap<string, string>;
}

export const NO_RECORD: HandoffRecord = { line: CREW_LINE, accepted: new Map(), judged: new Map() };

export type DenialCode =
  | 'handoff_missing'
  | 'handoff_malformed'
  | 'handoff_incomplete'
  | 'handoff_stale'
  | 'handoff_changed'
  | 'handoff_unreadable'
  | 'qa_not_passed'
  | 'blocked_handoff';

/**
 * Reason why a phase may not begin: the file, its defect, and a remedy. `handoff_unreadable`: it could not be
 * determined.
 */
export interface PhaseDenial {
  readonly allowed: false;
  readonly code: DenialCode;
  /** Phase that owns the file. */
  readonly phase: string;
  readonly file: string;
  readonly missing: string;
  readonly remedy: string;
  /** Report of the role, for `blocked_handoff`; the ladder is based on it. */
  readonly report: BlockedReport | undefined;
}

export type PhaseVerdict = { readonly allowed: true } | PhaseDenial;

/**
 * Decides whether a phase may begin, given the handoffs of the phases before it. Used by the coordinator, the check of
 * a task and the hook of a client. A phase outside the line, such as a new owner or helper, needs nothing.
 */
export function judgeHandoff(files: HandoffFiles, phase: string, recorded: HandoffRecord): PhaseVerdict {
  const before = phasesBefore(recorded.line, phase);
  const last = before.at(-1);
  if (last === undefined) return { allowed: true };
  try {
    refuseChanged(files, before, recorded.accepted);
    const handoffs = new Map<string, Handoff>();
    for (const step of before) {
      const handoff = parsedHandoff(files, step, recorded.line);
      if (handoff !== undefined) handoffs.set(step.file, handoff);
    }
    const tested = before.find(({ file }) => file === QA_FILE);
    for (const step of new Set([last, tested ?? last])) {
      refuseMissing(handoffs, step);
      refuseStaleInputs(files, handoffs, step, before);
    }
    if (tested !== undefined) {
      refuseFailing(files, handoffs, tested);
      if (before.some(({ file }) => file === CHANGES_FILE)) refuseOtherChanges(files, handoffs, tested, recorded);
    }
    return { allowed: true };
  } catch (error) {
    if (error instanceof PhaseDenied) return error.denial;
    throw error;
  }
}

/**
 * Decides whether a phase has handed on what it must. A complete BLOCKED file also counts. Stricter than the next phase
 * requires: a contract needs at least one criterion.
 */
export function judgeDelivery(files: HandoffFiles, phase: string, recorded: HandoffRecord): PhaseVerdict {
  const own = recorded.line.find(({ name }) => name === phase) ?? { name: phase, file: handoffFile(phase) };
  if (blockedAt(files, own) !== undefined) return { allowed: true };
  try {
    refuseChanged(files, phasesBefore(recorded.line, phase), recorded.accepted);
    const handoff = parsedHandoff(files, own, recorded.line);
    const handoffs = new Map(handoff === undefined ? [] : [[own.file, handoff]]);
    refuseMissing(handoffs, own);
    if (own.file === CONTRACT_FILE && handoff !== undefined) criteriaIn(handoff);
  } catch (error) {
    if (error instanceof PhaseDenied) return error.denial;
    throw error;
  }
  if (own.file !== QA_FILE) return { allowed: true };
  // The tester's handoff must satisfy the requirements of the phases after it.
  const line = [...CREW_LINE.filter(({ file }) => JUDGED_WITH.includes(file)), own];
  return judgeHandoff(files, RELEASE, { ...recorded, line, accepted: NO_RECORD.accepted });
}

/** Handoff file of a phase; outside the four standard phases, a file of the phase's own name. */
export function handoffFile(phase: string): string {
  return CREW_LINE.find(({ name }) => name === phase)?.file ?? `${phase.toUpperCase()}.md`;
}

/** All files a phase hands on, the decisive one last. */
export function handoffFiles(phase: string): readonly string[] {
  const file = handoffFile(phase);
  return file === CONTRACT_FILE ? [PLAN_FILE, file] : [file];
}

/** An accepted file that no longer matches its handoff. */
export interface ChangedHandoff {
  readonly phase: string;
  readonly file: string;
  readonly gone: boolean;
}

/** Files of these phases that were changed or deleted since acceptance; an unreadable one counts as changed. */
export function changedHandoffs(
  files: HandoffFiles,
  phases: readonly Phase[],
  accepted: HandoffRecord['accepted'],
): ChangedHandoff[] {
  return phases.flatMap(({ name }) =>
    handoffFiles(name).flatMap((file) => {
      const hash = accepted.get(file);
      const now = files.get(file);
      if (hash === undefined || (now !== undefined && 'sha256' in now && now.sha256 === hash)) return [];
      return [{ phase: name, file, gone: now === undefined }];
    }),
  );
}

/** Report of a phase that ended with a complete BLOCKED file; undefined otherwise. */
export function blockedAt(files: HandoffFiles, { file }: Phase): BlockedReport | undefined {
  const there = files.get(file);
  if (there === undefined || 'problem' in there) return undefined;
  try {
    const handoff = parseHandoff(there.text);
    const report = handoff.status === 'BLOCKED' ? blockedReport(handoff) : undefined;
    return report === undefined || 'lacks' in report ? undefined : report;
  } catch (error) {
    if (error instanceof MalformedHandoff) return undefined;
    throw error;
  }
}

const QA_FILE = 'QA.md';
const CONTRACT_FILE = 'CONTRACT.md';
const CHANGES_FILE = 'CHANGES.md';
const JUDGED_WITH = [CONTRACT_FILE, CHANGES_FILE];

class PhaseDenied extends Error {
  readonly denial: PhaseDenial;
  constructor(code: DenialCode, phase: string, file: string, missing: string, remedy: string, report?: BlockedReport) {
    super(missing);
    this.denial = { allowed: false, code, phase, file, missing, remedy, report };
  }
}

/** Only its own phase may replace a file: a change by any other breaks the agreement. */
function refuseChanged(files: HandoffFiles, phases: readonly Phase[], accepted: HandoffRecord['accepted']): void {
  const [changed] = changedHandoffs(files, phases, accepted);
  if (changed === undefined) return;
  const { phase, file, gone } = changed;
  const missing = gone ? `${file}, which ${phase} handed over, is gone` : `${file} is not what ${phase} handed over`;
  const code = gone ? 'handoff_missing' : 'handoff_changed';
  throw new PhaseDenied(code, phase, file, missing, `Restore it, or have ${phase} hand it over again.`);
}

function phasesBefore(line: readonly Phase[], phase: string): readonly Phase[] {
  if (phase === RELEASE) return line;
  const at = line.findIndex(({ name }) => name === phase);
  return line.slice(0, Math.max(0, at));
}

/** Valid handoff of a phase; undefined if there is none. */
function parsedHandoff(files: HandoffFiles, { name, file }: Phase, line: readonly Phase[]): Handoff | undefined {
  const there = files.get(file);
  if (there === undefined) return undefined;
  if ('problem' in there)
    throw new PhaseDenied(
      'handoff_unreadable',
      name,
      file,
      `${file} ${there.problem}`,
      `Replace it with a regular text file.`,
    );
  const rewrite = `Have ${name} write ${file} again.`;
  try {
    const handoff = parseHandoff(there.text);
    const other = line.find((step) => step.name !== name && step.name === handoff.phase);
    if (other !== undefined) throw new MalformedHandoff(`it says that it is the handoff of ${other.name}`);
    if (handoff.status === 'BLOCKED') refuseBlocked(name, file, handoff);
    if (!hasContent(handoff.body)) throw new PhaseDenied('handoff_incomplete', name, file, `${file} is empty`, rewrite);
    return handoff;
  } catch (error) {
    if (error instanceof MalformedHandoff)
      throw new PhaseDenied('handoff_malformed', name, file, `${file} cannot be parsed: ${error.message}`, rewrite);
    throw error;
  }
}

function refuseBlocked(name: string, file: string, handoff: Handoff): never {
  const report = blockedReport(handoff);
  if ('lacks' in report) {
    throw new PhaseDenied(
      'handoff_incomplete',
      name,
      file,
      `${file} says BLOCKED and lacks ${report.lacks.join(', ')}`,
      `Have ${name} add what is missing, or do the work.`,
    );
  }
  throw new PhaseDenied(
    'blocked_handoff',
    name,
    file,
    `${name} is stuck: ${file} says BLOCKED`,
    `Let ${name} retry with what it needs, assign a new owner, or have the architect replan.`,
    report,
  );
}

function refuseMissing(handoffs: ReadonlyMap<string, Handoff>, { name, file }: Phase): void {
  if (handoffs.has(file)) return;
  throw new PhaseDenied(
    'handoff_missing',
    name,
    file,
    `there is no ${file}`,
    `Have ${name} write it to the run folder first.`,
  );
}

/**
 * Refuses a handoff made from older versions of the files in its `inputs`. Only earlier phases count: later ones are
 * built on it.
 */
function refuseStaleInputs(
  files: HandoffFiles,
  handoffs: ReadonlyMap<string, Handoff>,
  { name, file }: Phase,
  before: readonly Phase[],
): void {
  const earlier = before
    .slice(
      0,
      before.findIndex((step) => step.file === file),
    )
    .map((step) => step.file);
  for (const [input, hash] of handoffs.get(file)?.inputs ?? []) {
    const now = files.get(input);
    if (now === undefined || 'problem' in now || now.sha256 === hash) continue;
    if (![PLAN_FILE, ...earlier].includes(input)) continue;
    const verb = file === QA_FILE ? 'judged' : 'was made from';
    throw new PhaseDenied(
      'handoff_stale',
      name,
      file,
      `${file} ${verb} an older ${input}`,
      `Have ${name} redo it with the current ${input}.`,
    );
  }
}

/** Refuses a QA.md unless every criterion of the contract has PASS with evidence, and none FAIL. */
function refuseFailing(files: HandoffFiles, handoffs: ReadonlyMap<string, Handoff>, tested: Phase): void {
  const contract = handoffs.get(CONTRACT_FILE);
  if (contract === undefined)
    throw new PhaseDenied(
      'handoff_missing',
      'architect',
      CONTRACT_FILE,
      `there is no ${CONTRACT_FILE} to check QA.md against`,
      'Have the architect write it.',
    );
  const criteria = criteriaIn(contract);
  const findings = judgeVerdicts(criteria, handoffs.get(QA_FILE)?.body ?? []);
  const again = `Fix it, and have ${tested.name} check it again.`;
  const refuse = (missing: string, remedy: string) => {
    throw new PhaseDenied('qa_not_passed', tested.name, QA_FILE, missing, remedy);
  };
  const form = 'one line each: `- [PASS] 1 text — evidence`.';
  if (findings.failed.length > 0) refuse(`QA.md says FAIL of ${criteriaNamed(findings.failed)}`, again);
  if (findings.failedElsewhere) refuse('QA.md has a FAIL that matches no criterion', again);
  const qa = files.get(QA_FILE);
  const ambiguous = qa !== undefined && 'text' in qa ? ambiguousLine(criteria, qa.text) : undefined;
  if (ambiguous !== undefined)
    refuse(
      `QA.md speaks of failure in a line that is no verdict: ${JSON.stringify(cut(inert(ambiguous.trim()), HANDOFF_LIMITS.lineCharacters))}`,
      `Have ${tested.name} say it as \`- [FAIL] NUMBER\` of a criterion, or in other words.`,
    );
  if (findings.unjudged.length > 0)
    refuse(
      `QA.md has no verdict on ${criteriaNamed(findings.unjudged)}`,
      `Have ${tested.name} judge every criterion, ${form}`,
    );
  if (findings.withoutEvidence.length > 0)
    refuse(
      `QA.md gives no evidence for ${criteriaNamed(findings.withoutEvidence)}`,
      `Have ${tested.name} give the evidence, ${form}`,
    );
}

function criteriaIn(contract: Handoff) {
  try {
    const criteria = criteriaOf(contract.body);
    if (criteria.length > 0) return criteria;
  } catch (error) {
    if (!(error instanceof MalformedHandoff)) throw error;
    throw new PhaseDenied(
      'handoff_malformed',
      'architect',
      CONTRACT_FILE,
      `CONTRACT.md cannot be parsed: ${error.message}`,
      'Have the architect write it again.',
    );
  }
  throw new PhaseDenied(
    'handoff_incomplete',
    'architect',
    CONTRACT_FILE,
    'CONTRACT.md has no criterion below `## Done-criteria`',
    'Have the architect add the criteria, one bullet each.',
  );
}

/**
 * Refuses a QA.md that judged other changes: by the hash it names, else by the one recorded at its handoff, else by
 * modification times.
 */
function refuseOtherChanges(
  files: HandoffFiles,
  handoffs: ReadonlyMap<string, Handoff>,
  tested: Phase,
  recorded: HandoffRecord,
): void {
  const changes = files.get(CHANGES_FILE);
  const qa = files.get(QA_FILE);
  if (changes === undefined || 'problem' in changes || qa === undefined || 'problem' in qa)
    throw new PhaseDenied(
      'handoff_missing',
      'dev',
      CHANGES_FILE,
      `there is no ${CHANGES_FILE} that QA.md could have judged`,
      'Have dev write it.',
    );
  const hash = handoffs.get(QA_FILE)?.inputs.get(CHANGES_FILE) ?? recorded.judged.get(qa.sha256);
  if (hash === undefined ? qa.modifiedMs >= changes.modifiedMs : hash === changes.sha256) return;
  throw new PhaseDenied(
    'handoff_stale',
    tested.name,
    QA_FILE,
    'QA.md judged an older CHANGES.md',
    `Have ${tested.name} check the current changes.`,
  );
}

function criteriaNamed(numbers: readonly number[]): string {
  const named = numbers.slice(0, HANDOFF_LIMITS.criteriaNamed).join(', ');
  const left = numbers.length - HANDOFF_LIMITS.criteriaNamed;
  return `${numbers.length === 1 ? 'criterion' : 'criteria'} ${named}${left > 0 ? ` and ${plural(left, 'other')}` : ''}`;
}
