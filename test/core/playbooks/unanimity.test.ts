import { expect, test } from 'vitest';
import { checkDecision, type PanelState, readDecision } from '#core/playbooks/panel-decision.js';
import { countVotes } from '#core/playbooks/unanimity.js';

const votesOf = (texts: Readonly<Record<string, string | undefined>>) => countVotes(new Map(Object.entries(texts)));

test('all that sign off, or are for one option, are unanimous; one who is not ends that', () => {
  const off = { a: '### A — SIGN-OFF', b: '### B — sign-off', c: '### C — SIGN-OFF\n- [low] a → b' };
  expect(votesOf(off).unanimous).toEqual({ on: 'sign-off' });
  expect(votesOf({ ...off, d: '### D — CHANGES REQUESTED' }).unanimous).toBeUndefined();
  const one = { a: '### A — IDEAS\nOption: SQLite', b: '### B — CHANGES REQUESTED\n- option:  "sqlite."' };
  expect(votesOf(one).unanimous).toEqual({ on: 'option', option: 'SQLite' });
  expect(votesOf({ ...one, c: '### C — IDEAS\noption: files' }).unanimous).toBeUndefined();
  expect(votesOf({ ...one, c: '### C — IDEAS' }).unanimous).toBeUndefined();
});

test('a seat without a note that can be read is named, and does not hide that the others agree', () => {
  const votes = votesOf({ a: '### A — SIGN-OFF', b: undefined, c: 'fine with me' });
  expect(votes.missing).toEqual([
    { seat: 'b', why: 'there is no note' },
    { seat: 'c', why: 'it has no heading `### Role — VERDICT`' },
  ]);
  expect(votes.unanimous).toEqual({ on: 'sign-off' });
  expect(() => votesOf({ a: undefined })).toThrowError(expect.objectContaining({ code: 'panel_silent' }));
});

const SEATS = ['skeptic', 'operator', 'author'];
const DECISION = [
  '# What we do',
  '## Decision',
  'Keep the queue.',
  '## Why',
  'It works.',
  '## Minority view',
  'operator would drop it.',
  '## Unresolved tensions',
  'None.',
  '## Moves',
  '- Bound the queue ← skeptic, operator',
  '- Name it <- author: second point',
  '',
  'Steelman: ran, “drop the queue” was argued — retained',
].join('\n');
const QUIET: PanelState = { missing: [], unanimous: false, steelmanWritten: false, waived: undefined };
const outcome = (text: string, state: Partial<PanelState> = {}) =>
  checkDecision(readDecision(text, SEATS), { ...QUIET, ...state });
const refusal = (text: string, state: Partial<PanelState> = {}) => {
  try {
    return expect.unreachable(outcome(text, state));
  } catch (error) {
    return error as { code: string; message: string };
  }
};

test('a decision has its parts, its moves say whose note they came from, a missing seat is named', () => {
  expect(readDecision(DECISION, SEATS).moves).toEqual([
    { move: 'Bound the queue', seats: ['skeptic', 'operator'] },
    { move: 'Name it', seats: ['author'] },
  ]);
  expect(outcome(DECISION)).toBe('n/a');
  for (const part of ['Decision', 'Why', 'Minority view', 'Unresolved tensions', 'Moves']) {
    const without = DECISION.replace(`## ${part}\n`, `### ${part}\n`);
    expect(refusal(without)).toMatchObject({ code: 'decision_incomplete', message: expect.stringContaining(part) });
  }
  expect(refusal(DECISION.replace('← skeptic, operator', '')).code).toBe('decision_incomplete');
  expect(refusal(DECISION.replace('← skeptic, operator', '← everybody')).code).toBe('decision_incomplete');
  expect(outcome(DECISION, { missing: ['operator'] })).toBe('n/a');
  expect(refusal(DECISION, { missing: ['accountant'] }).message).toContain('accountant');
  expect(
    refusal(DECISION.replace('operator would', 'co-operators would').replace(', operator', ''), {
      missing: ['operator'],
    }).message,
  ).toContain('operator');
});

test('agreement needs the strongest case against it: argued and answered, or waived by a person', () => {
  const unanimous = { unanimous: true, steelmanWritten: true };
  expect(outcome(DECISION, unanimous)).toBe('ran, “drop the queue” was argued — retained');
  for (const line of ['', 'Steelman: ran', 'Steelman: retained', 'Steelman: n/a', '```\nSteelman: ran, x adopted\n```'])
    expect(refusal(DECISION.replace(/Steelman.*/, line), unanimous).code).toBe('steelman_missing');
  expect(refusal(DECISION, { unanimous: true }).message).toContain('no case against it was made');
  expect(outcome(DECISION, { unanimous: true, waived: 'it is a colour' })).toBe('waived because it is a colour');
});
