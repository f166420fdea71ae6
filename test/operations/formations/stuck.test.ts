import { beforeEach, expect, test } from 'vitest';
import { climb, type LadderFacts, staleFiles, stuckPhases } from '#core/formations/climb.js';
import { crewEntry } from '#core/formations/crew-log.js';
import { blockPhase, failPhase, passPhase } from '#core/formations/hand-in.js';
import { checkedRecord, type StumbleReport } from '#core/formations/record.js';
import { claimTask, doneTask, failTask } from '#core/graph/moves.js';
import { readiness } from '#core/graph/ready.js';
import { taskOf } from '#core/graph/task-of.js';
import { candidatesIn } from '#core/lanes/candidates.js';
import { parseLane } from '#core/lanes/lane-file.js';
import { readRoles } from '#core/lanes/registry.js';
import { laneFile } from '#core/lanes/role-paths.js';
import { timestamp } from '#kernel/clock.js';
import { LIMITS } from '#kernel/limits.js';
import { formationStop } from '#operations/formations/formation.js';
import { lookAtHandIn } from '#operations/formations/hand-in.js';
import { verifies } from '../../verifies.js';
import { Crews } from './crews.js';

const REPORT: StumbleReport = {
  ...{ tried: 'Two parsers.', why: 'Quotes break them.', needs: 'More.', escalation: 'The role `csv-expert`.' },
  ...{ diagnosis: undefined, context: [] },
};

class Stuck extends Crews {
  run = '';
  facts: LadderFacts = { now: this.now, tiers: ['haiku', 'sonnet', 'opus'], overBudget: false };

  async begin(): Promise<this> {
    this.run = (await this.crew({ mode: 'autopilot', yes: true })).run;
    await this.pass('architect', { 'PLAN.md': 'p1', 'CONTRACT.md': 'c1' });
    return this;
  }

  id(phase: string): string {
    return `${this.run}-${phase}`;
  }

  async task(phase: string) {
    return taskOf(await this.view(), this.id(phase));
  }

  async claim(phase: string) {
    const name = `agent-${phase}`;
    const { result } = await this.store.commit((view) =>
      claimTask(view, this.id(phase), { now: this.now, by: { name } }),
    );
    return { now: this.now, by: { name, fence: result.fence }, detail: {} };
  }

  async pass(phase: string, handoffs: Record<string, string> = {}, lesson?: string): Promise<void> {
    const by = await this.claim(phase);
    await this.store.commit((view) => {
      const noted = passPhase(view, taskOf(view, this.id(phase)), timestamp(this.now), {
        handoffs,
        ...(lesson === undefined ? {} : { lesson }),
      });
      return {
        events: [...doneTask(view, this.id(phase), { ...by, force: true }).events, ...noted],
        result: undefined,
      };
    });
  }

  async fail(phase: string, passed: number): Promise<void> {
    const by = await this.claim(phase);
    await this.store.commit((view) => {
      const noted = failPhase(view, taskOf(view, this.id(phase)), { handoffs: {}, passed });
      return {
        events: [...failTask(view, this.id(phase), { ...by, reason: 'no' }).events, ...noted],
        result: undefined,
      };
    });
  }

  async block(phase: string, changes: Partial<StumbleReport> = {}): Promise<void> {
    const by = await this.claim(phase);
    const report = { ...REPORT, ...changes };
    await this.store.commit((view) => blockPhase(view, taskOf(view, this.id(phase)), { report, handoffs: {} }, by));
  }

  /** One look of the ladder; answers the rungs it took. */
  async help(): Promise<string[]> {
    const rungs: string[] = [];
    for (const { phase } of [...stuckPhases(await this.view())]) {
      const { result } = await this.store.commit((view) => {
        const stuck = [...stuckPhases(view)].find((one) => one.phase === phase);
        if (!stuck) throw new Error('it is stuck no more');
        return climb(view, stuck, this.facts);
      });
      rungs.push(result.rung);
    }
    return rungs;
  }

  async record() {
    return checkedRecord(await this.view(), this.run);
  }
}

let stage: Stuck;
beforeEach(async () => {
  stage = await new Stuck().begin();
});

verifies(
  'crew.blocked.state',
  'a blocked handoff ends the attempt: the task waits for a message, under no claim and with no try used up',
  async () => {
    await stage.block('dev');
    const task = await stage.task('dev');
    expect(task).toMatchObject({ status: 'waiting', wait_condition: { conditions: [{ type: 'message' }] } });
    expect(task.assigned).toBeUndefined();
    expect(task.retry_count).toBeUndefined();
    expect(task.log?.at(-1)?.message).toContain('blocked handoff');
  },
);

verifies(
  ['crew.ladder.facts-first', 'crew.ladder.skip', 'crew.ladder.log'],
  'rung by rung, each once a stumble: a stronger model, another role, then a person, and all of it is logged',
  async () => {
    await stage.block('dev', { context: ['f.txt'] });
    expect(await stage.help()).toEqual(['clarify']);
    expect((await stage.task('dev')).description).toContain('Read: f.txt.');
    await stage.block('dev');
    expect(await stage.help()).toEqual(['re-tier']);
    expect(await stage.task('dev')).toMatchObject({ status: 'open', model: 'opus' });
    await stage.block('dev');
    expect(await stage.help()).toEqual(['re-role']);
    expect((await stage.task('dev')).tags).toEqual(expect.arrayContaining(['seat:csv-expert', 'phase:dev']));
    expect((await stage.record()).seats[1]).toMatchObject({ name: 'csv-expert', phase: 'dev', minted: true });
    await stage.block('dev');
    expect(await stage.help()).toEqual(['user']);
    expect(await stage.help()).toEqual([]);
    // The person's word lets it go on, by the graph's own means.
    expect(await stage.task('decide-dev')).toMatchObject({ human: true, status: 'open' });
    expect((await stage.task('decide-dev')).description).toContain('Why stuck: Quotes break them.');
    await stage.store.commit((view) => doneTask(view, stage.id('decide-dev'), { now: stage.now, by: { name: 'you' } }));
    expect((await stage.task('dev')).status).toBe('open');
    const { notes } = await stage.record();
    expect(notes.filter((note) => note.startsWith('escalation: ')).map((note) => note.split(':')[1])).toEqual([
      ...[
        ' clarify dev in dev',
        ' re-tier dev in dev → opus',
        ' re-role dev in dev → csv-expert (new)',
        ' user csv-expert in dev',
      ],
    ]);
    const entry = crewEntry(await stage.record(), [], 'shop', '');
    expect(entry).toContain('- escalation: clarify dev in dev: it asks for what is there: f.txt; re-tier dev');
  },
);

verifies(
  'crew.ladder.once',
  'a stumble lasts until the phase passes, of dev until qa has: then the ladder begins anew',
  async () => {
    await stage.block('dev');
    expect(await stage.help()).toEqual(['re-tier']);
    await stage.pass('dev', { 'CHANGES.md': 'x1' });
    await stage.fail('qa', 1);
    expect((await stage.record()).stumbles['dev']).toMatchObject({ rungs: ['re-tier'], passed: [1] });
    await stage.pass('dev', { 'CHANGES.md': 'x2' });
    await stage.fail('qa', 2);
    // More criteria passed than before, but the stronger model was tried: somebody else.
    await stage.block('dev');
    expect(await stage.help()).toEqual(['re-role']);
    await stage.pass('dev', { 'CHANGES.md': 'x3' });
    await stage.pass('qa');
    expect((await stage.record()).stumbles).toEqual({});
  },
);

test('a wrong contract goes back to the architect: later handoffs are stale, and their tasks are open again', async () => {
  await stage.pass('dev', { 'CHANGES.md': 'x1' });
  await stage.block('qa', { diagnosis: 'contract' });
  const before = await stage.record();
  expect(staleFiles(before)).toEqual(['CHANGES.md', 'QA.md', 'DEPLOY.md']);
  expect(await stage.help()).toEqual(['re-plan']);
  const view = await stage.view();
  for (const phase of ['architect', 'dev', 'qa']) expect(view.task(stage.id(phase))?.status, phase).toBe('open');
  expect(readiness(view, stage.id('architect'), stage.now).ready).toBe(true);
  expect(readiness(view, stage.id('dev'), stage.now).ready).toBe(false);
  expect((await stage.task('architect')).description).toContain('Plan again: qa says that the contract is wrong.');
  expect(await stage.record()).toMatchObject({ stale: ['x1'], handoffs: { 'CONTRACT.md': 'c1' } });
});

verifies(
  'crew.qa.loop',
  'dev and qa go round twice; still failing, a person is asked once, and nothing after it begins',
  async () => {
    for (let pass = 0; pass < 3; pass++) {
      expect(await stage.help()).toEqual([]);
      await stage.pass('dev', { 'CHANGES.md': `x${pass}` });
      await stage.fail('qa', 1);
    }
    expect((await stage.task('dev')).loop_iteration).toBe(2);
    expect(await stage.help()).toEqual(['user']);
    expect(await stage.help()).toEqual([]);
    expect(await stage.task('decide-qa')).toMatchObject({ human: true });
    expect(readiness(await stage.view(), stage.id('deployer'), stage.now).ready).toBe(false);
  },
);

test('over budget a person is asked before anything else is tried', async () => {
  stage.facts = { ...stage.facts, overBudget: true };
  await stage.block('dev', { context: ['f.txt'] });
  expect(await stage.help()).toEqual(['user']);
});

verifies(
  'roles.life.auto',
  'the end of a run counts no clean run for a row whose work people scored badly',
  async () => {
    const score = { score: 0.2, source: 'user:ann', evaluator: 'ann', timestamp: '2026-11-23T12:00:00Z' };
    stage.evaluations.push({ ...score, id: 'e1', task_id: stage.id('architect') });
    await stage.pass('dev', { 'CHANGES.md': 'x1' });
    await stage.call(formationStop, { run: stage.run });
    expect(stage.rows()).toMatch(/### architect\n(?:- .*\n)*- runs: clean 0, thin 0, cuts 0\n/);
    expect(stage.rows()).toMatch(/### dev\n(?:- .*\n)*- runs: clean 1, thin 0, cuts 0\n/);
    expect(stage.roles.texts.get('.claude/dev-crew/log.md')).toContain('architect not clean; dev clean');
  },
);

verifies(
  ['roles.learn.append', 'roles.grad.candidates'],
  'a phase leaves one lesson with its last words, which its row gets at the end: no secret in it, and marked where it holds everywhere',
  async () => {
    const key = `sk-ant-api03-${'a1B2'.repeat(12)}`;
    const long = `${'Read the contract first. '.repeat(20)}(context-independent)`;
    const learned = async (phase: string, words: string) => {
      const looked = await lookAtHandIn(stage.context(), await stage.task(phase), undefined, words);
      await stage.pass(phase, {}, looked?.handIn.lesson);
    };
    await learned('dev', `Done.\n**Lesson:** never print ${key}\nLesson: never print ${key} twice\n`);
    await learned('qa', `Lesson: ${long}\n`);
    expect(JSON.stringify(await stage.record())).not.toContain(key);
    stage.roles.texts.set('.claude/roles/qa.md', '# qa\n\n## Charter\n\nChecks.\n');
    stage.roles.texts.set(laneFile('crew'), stage.rows().replace('### qa\n', '### qa\n- role: qa\n'));
    await stage.call(formationStop, { run: stage.run });
    const rows = new Map(parseLane('crew', stage.rows()).rows.flatMap(({ row }) => (row ? [[row.name, row]] : [])));
    expect(rows.get('dev')?.lessons.map(({ text }) => text)).toEqual([expect.stringMatching(/^never print .* twice$/)]);
    expect(stage.rows()).not.toContain(key);
    expect(rows.get('architect')?.lessons).toEqual([]);
    const [lesson] = rows.get('qa')?.lessons ?? [];
    expect(lesson?.text).toMatch(/^Read the contract first\..* \(context-independent\)$/);
    expect([...(lesson?.text ?? '')].length).toBeLessThanOrEqual(LIMITS.lessonCharacters);
    expect(candidatesIn(readRoles(stage.roles.texts)).map(({ role }) => role)).toContain('qa');
  },
);
