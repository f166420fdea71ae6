import path from 'node:path';
import { expect, test } from 'vitest';
import type { Plan } from '#core/graph/event.js';
import { type RungHelp, rungOfFailed, staleFiles, stuckPhases, takeRung } from '#core/playbooks/climb.js';
import { compileCrew, namedCrew } from '#core/playbooks/crew.js';
import { checkedRecord, type FormationRecord, recordEvent, stepId } from '#core/playbooks/record.js';
import {
  acceptLineUp,
  addProposedRun,
  approveRelease,
  checkProposed,
  endEvent,
  formationOutcome,
  relineUp,
} from '#core/playbooks/run-moves.js';
import { formationRun } from '#core/playbooks/runs.js';
import { steerRun } from '#core/playbooks/steer-run.js';
import { stopRun } from '#core/playbooks/stop-run.js';
import { NO_ROLES } from '#core/roles/lane.js';
import { codeOf, Play } from '../graph/graph.js';

const RUN = '20261123-queue-1f0c';
const crew = (...names: { readonly name: string; readonly phase?: string; readonly tier?: string }[]) =>
  compileCrew('Drop the queue', namedCrew(NO_ROLES, names), { run: RUN, mode: 'checkpoint' });
const LINE = [{ name: 'architect' }, { name: 'dev' }, { name: 'qa' }, { name: 'deployer' }];
const RECORD: FormationRecord = {
  ...{ formation: 'crew', run: RUN, goal: 'Drop the queue', state: 'proposed', at: '2026-03-21T10:00:00.000Z' },
  ...{ seats: LINE, tasks: [], options: { mode: 'checkpoint' }, kept: {}, defaults: [], stumbles: {}, notes: [] },
  ...{ handoffs: {}, judged: {}, stale: [] },
};
const REPORT = {
  ...{ tried: 'Two ways.', why: 'Bash\u202e is denied.', needs: 'Bash.', escalation: 'owner of Bash' },
  ...{ diagnosis: undefined, context: [], sha256: 'ab12' },
};

/** A run that is played move by move, and every event that comes of it. */
class Story extends Play {
  readonly lines: string[] = [];
  private said = 0;

  get record(): FormationRecord {
    return checkedRecord(this.state, RUN);
  }

  step<Result>(title: string, decide: (now: number) => Plan<Result>): void {
    const result = this.move((_view, { now }) => decide(now));
    this.lines.push(`# ${title}`, ...this.news(), `  = ${JSON.stringify(result)}`);
  }

  told(): string {
    return `${this.lines.join('\n')}\n`.replaceAll('\u202e', '<RLO>').replaceAll(RUN, 'RUN');
  }

  /** What a move wrote that is not told here. */
  skip(work: () => unknown): void {
    work();
    this.said = this.entries.length;
  }

  private news(): string[] {
    const fresh = this.entries.slice(this.said);
    this.said = this.entries.length;
    return fresh.map(
      ({ op, task_id, actor, detail, patch }) =>
        `  ${op} ${task_id ?? ''} ${actor ?? ''} ${JSON.stringify({ detail, patch })}`,
    );
  }

  /** A phase that is stuck, with a report or without one. */
  stick(phase: string, stumble: Partial<FormationRecord['stumbles'][string]> = { report: REPORT }): void {
    this.skip(() => {
      const id = stepId(RUN, phase);
      const known = this.record.stumbles[phase] ?? { rungs: [], passed: [] };
      const record = { ...this.record, stumbles: { ...this.record.stumbles, [phase]: { ...known, ...stumble } } };
      const wait = { conditions: [{ type: 'message' }], mode: 'all' };
      this.move(() => ({
        events: [
          recordEvent(this.state, record, 'stumble', { actor: 'x' }),
          { op: 'wait', patch: [{ id, set: { status: 'waiting', wait_condition: wait } }] },
        ],
        result: undefined,
      }));
    });
  }

  /** A run was at work on a phase. */
  ran(phase: string): void {
    const set = { last_run: { run: 'agent-1', iteration: 0, goes_on: 1 } };
    this.skip(() =>
      this.move(() => ({ events: [{ op: 'x', patch: [{ id: stepId(RUN, phase), set }] }], result: undefined })),
    );
  }

  climb(title: string, help: RungHelp): void {
    const stuck = [...stuckPhases(this.state)];
    this.lines.push(
      `# stuck: ${stuck.map(({ phase, report }) => `${phase} ${report?.why ?? 'without a word'}`).join(', ')}`,
    );
    const [first = expect.unreachable()] = stuck;
    this.step(title, (now) => takeRung(this.state, first, help, now));
  }
}

const by = (now: number) => ({ now, actor: 'ann' });

test('a crew from its proposal to its release, event by event', async () => {
  const story = new Story();
  story.step('propose', (now) => addProposedRun(story.state, RECORD, crew(...LINE), by(now)));
  const other = [{ name: 'architect' }, { name: 'dev', tier: 'opus' }, { name: 'skeptic' }, { name: 'deployer' }];
  story.step('another line-up', (now) =>
    relineUp(story.state, story.record, { ...story.record, seats: other }, crew(...other), by(now)),
  );
  story.step('the first one again', (now) =>
    relineUp(story.state, story.record, { ...story.record, seats: LINE }, crew(...LINE), by(now)),
  );
  const occupants = new Map([
    ['dev', { agent: 'agent-1' }],
    ['qa', { member: 'Neo' }],
  ]);
  story.step('start', (now) => acceptLineUp(story.state, story.record, occupants, by(now)));
  expect(codeOf(() => checkProposed(story.record))).toBe('wrong_status');
  expect(codeOf(() => acceptLineUp(story.state, story.record, occupants, by(0)))).toBe('wrong_status');
  expect(codeOf(() => relineUp(story.state, story.record, story.record, crew(...LINE), by(0)))).toBe('wrong_status');
  story.step('steer', (now) =>
    steerRun(story.state, formationRun(story.state, story.record), '  Mind   the\ngap. ', by(now)),
  );
  for (const phase of ['architect', 'check-architect']) story.skip(() => story.done(stepId(RUN, phase)));
  story.step('steer what comes next', (now) =>
    steerRun(story.state, formationRun(story.state, story.record), 'Quick.', by(now)),
  );
  expect(codeOf(() => steerRun(story.state, formationRun(story.state, story.record), ' ', by(0)))).toBe('bad_input');
  story.skip(() => story.done(stepId(RUN, 'dev')));
  story.step('a failed phase ends in', () => ({ events: [], result: formationOutcome(story.state, story.record) }));
  for (const phase of ['check-dev', 'qa', 'check-qa', 'deployer']) story.skip(() => story.done(stepId(RUN, phase)));
  story.step('go', (now) => approveRelease(story.state, story.record, 'npm publish\n', by(now)));
  story.skip(() => story.done(stepId(RUN, 'release')));
  story.step('the end', (now) => ({
    events: [endEvent(story.state, story.record, formationOutcome(story.state, story.record), by(now))],
    result: formationOutcome(story.state, { ...story.record, formation: 'panel' }),
  }));
  expect(codeOf(() => stopRun(story.state, formationRun(story.state, story.record), by(0)))).toBe('wrong_status');
  expect(codeOf(() => steerRun(story.state, formationRun(story.state, story.record), 'x', by(0)))).toBe('wrong_status');
  expect(codeOf(() => checkProposed(story.record))).toBe('wrong_status');
  await expect(story.told()).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/run.txt'));
});

test('each rung of a crew that is stuck, event by event', async () => {
  const story = new Story();
  const line = [{ name: 'architect' }, { name: 'tess', phase: 'dev', tier: 'sonnet' }, { name: 'qa' }];
  story.skip(() =>
    story.move((view, { now }) => addProposedRun(view, { ...RECORD, seats: line }, crew(...line), by(now))),
  );
  story.skip(() => story.move((view, { now }) => acceptLineUp(view, story.record, new Map(), by(now))));
  story.skip(() => story.done(stepId(RUN, 'architect')));
  story.skip(() => story.done(stepId(RUN, 'check-architect')));
  const relief = {};
  story.stick('dev');
  story.climb('clarify', { climb: { rung: 'clarify', why: 'it asks', context: ['a.md', 'b.md'] }, relief });
  story.stick('dev');
  story.climb('re-tier', { climb: { rung: 're-tier', why: 'it is hard', tier: 'opus' }, relief });
  story.stick('dev');
  story.climb('re-role', {
    climb: { rung: 're-role', why: 'csv owns it', owner: 'csv', standing: 'new', seat: { name: 'csv', minted: true } },
    relief: { agent: 'agent-1' },
  });
  story.ran('dev');
  story.stick('dev');
  story.climb('re-role to a member with a model', {
    climb: { rung: 're-role', why: 'x', owner: 'dba', standing: 'known', seat: { name: 'dba', tier: 'haiku' } },
    relief: { member: 'Neo' },
  });
  story.stick('dev');
  story.climb('a person', { climb: { rung: 'user', why: 'nobody \u202eknows' }, relief });
  story.stick('dev');
  story.climb('the same person again', { climb: { rung: 'user', why: 'still nobody knows' }, relief });
  story.skip(() => story.done(stepId(RUN, 'decide-dev')));
  story.stick('dev', { report: { ...REPORT, sha256: undefined } });
  story.climb('again, after an answer', { climb: { rung: 'user', why: 'once more' }, relief });
  story.stick('dev', { rungs: [], report: REPORT });
  story.climb('a person in another stumble', { climb: { rung: 'user', why: 'new' }, relief });
  story.skip(() =>
    story.move((view) => ({
      events: [
        recordEvent(
          view,
          { ...story.record, handoffs: { 'CONTRACT.md': 'c', 'CHANGES.md': 'd', 'QA.md': 'q' }, stale: ['d', 'e'] },
          'handed',
          { actor: 'x' },
        ),
      ],
      result: undefined,
    })),
  );
  story.stick('qa');
  story.climb('re-plan', { climb: { rung: 're-plan', why: 'the contract is wrong' }, relief });
  story.lines.push(`# stale: ${staleFiles(story.record).join(', ')}`);
  story.skip(() => story.fail(stepId(RUN, 'architect')));
  story.climb('failed', { climb: rungOfFailed(story.task(stepId(RUN, 'architect'))), relief });
  expect([...stuckPhases(story.state)]).toEqual([]);
  expect(rungOfFailed({ kind: 'task', id: 'x', title: 'x', status: 'failed' })).toEqual({
    rung: 'user',
    why: 'it failed: no reason was given',
  });
  story.step('what it would be called', () => ({ events: [], result: formationOutcome(story.state, story.record) }));
  story.step('stop', (now) => stopRun(story.state, formationRun(story.state, story.record), by(now)));
  await expect(story.told()).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/climbs.txt'));
});
