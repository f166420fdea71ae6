import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { strictYaml, yamlText } from '#adapters/disk/strict-yaml.js';
import { FormationFolder } from '#adapters/roles/formation-folder.js';
import { failPhase, passPhase } from '#core/playbooks/hand-in.js';
import { handoffFiles } from '#core/playbooks/handoffs.js';
import { sha256 } from '#kernel/hash.js';
import type { Output } from '#operations/map.js';
import { formationWorld } from '../operations/formations/formation-world.js';
import { PATIENCE } from '../patience.js';
import { verifies } from '../verifies.js';
import {
  copied,
  goTo,
  hasChromium,
  openStage,
  type Stage,
  type VisitOptions,
  violations,
  violationsInBothThemes,
  visit,
  writtenCommands,
} from './browser.js';
import { framed, nameless, picture, SIZES, strayTabs } from './looks.js';
import { OWNER, type World } from './world.js';

type Formations = ReturnType<typeof formationWorld>;
type Run = Output<'formation.start'>;

const CONTRACT =
  '# Contract\n\n## Done-criteria\n\n- rows leave as CSV, quoted where they have to be\n- the head names the columns — in order\n- the page of the guide says how\n';
const QA =
  '# QA\n\n- [PASS] 1 rows leave as CSV, quoted where they have to be — npm test, 12 passed\n- [PASS] 2 the head names the columns — in order — seen in out.csv\n- [FAIL] 3 the page is empty — docs/export.md has 0 lines\n';
const DEPLOY = '# Deploy\n\n## Commands\n\n```sh\nnpm publish --tag next\n```\n';

/** A run of a workflow, half an hour in: its work was rejected once and is done again. */
async function fixedBug(world: Formations): Promise<void> {
  const run = 'bug-fix-2';
  const step = (node: string, title: string, after: readonly string[], role?: 'gate') =>
    world.add(`${run}-${node}`, {
      ...{ title, after: after.map((name) => `${run}-${name}`) },
      workflow: { id: 'bug-fix', run, node, ...(role === undefined ? {} : { role }) },
    });
  await step('triage', 'Find the cause', []);
  await step('fix', 'Fix it', ['triage']);
  await step('docs', 'Say it in the guide', ['triage']);
  await step('gate', 'Does it hold?', ['fix', 'docs'], 'gate');
  await step('end', 'Tell who reported it', ['gate']);
  const move = async (minutes: number, node: string, op: string, set: object) => {
    world.pass(minutes * 60_000);
    const id = `${run}-${node}`;
    await world.store.commit(() => ({
      events: [{ op, task_id: id, actor: 'you', patch: [{ id, set: { ...set } }] }],
      result: undefined,
    }));
  };
  await move(0, 'triage', 'claim', { status: 'in-progress' });
  await move(11, 'triage', 'done', { status: 'done' });
  await move(2, 'fix', 'claim', { status: 'in-progress' });
  await move(3, 'docs', 'claim', { status: 'in-progress' });
  await move(9, 'fix', 'submit', { status: 'pending-validation' });
  await move(2, 'docs', 'submit', { status: 'pending-validation' });
  await move(2, 'docs', 'approve', { status: 'done' });
  await move(2, 'fix', 'reject', { status: 'open', failure_reason: 'No test' });
  await move(1, 'fix', 'claim', { status: 'in-progress' });
  world.pass(17 * 60_000);
  await world.add('else', { title: 'Something else' });
}

describe.skipIf(!hasChromium)('the page Runs (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  async function openFormations(fill: (world: Formations) => Promise<void>, options: VisitOptions = {}) {
    let formations: Formations | undefined;
    const opened = await visit(stage, {
      browser: { bypassCSP: true },
      ...options,
      fill: async (own) => {
        formations = formationWorld(own);
        await fill(formations);
      },
    });
    await goTo(opened.page, '#/runs');
    return { ...opened, world: formations as Formations };
  }
  const waits = (page: Page) => page.getByRole('region', { name: 'It waits for you' });
  const propose = async (world: World | Formations, kind: string, input: object) =>
    (await world.call(`formation.${kind}`, input)) as Run;

  /** A phase did its work: its files lie in the folder of the run, and its gate was passed. */
  async function pass(world: Formations, run: Run, phase: string, texts: readonly string[], more: object = {}) {
    const files = new FormationFolder(world.project);
    const names = handoffFiles(phase);
    for (const [index, name] of names.entries()) await files.write(run.folder, name, texts[index] ?? '# It\n\nDone.\n');
    const id = `${run.run}-${phase}`;
    const ago = (minutes: number) => new Date(world.clock.now() - minutes * 60_000).toISOString();
    const usage = { cost_usd: 0.42, input_tokens: 12_000, output_tokens: 900 };
    await world.set(id, { status: 'done', started_at: ago(9), completed_at: ago(4), fence: 1, token_usage: usage });
    const handoffs = Object.fromEntries(names.map((name, index) => [name, sha256(texts[index] ?? '# It\n\nDone.\n')]));
    await world.store.commit((view) => {
      const task = view.task(id);
      return {
        events: task ? passPhase(view, task, task.completed_at ?? '', { handoffs, ...more }) : [],
        result: undefined,
      };
    });
  }

  verifies(
    ['form.gate.roster', 'ui.web.cli', 'ui.web.live'],
    'a line-up is changed seat by seat, says what is lost, and begins when it is accepted; the relay goes on as the log does',
    async () => {
      const { page, world, complaints } = await openFormations(async () => undefined);
      await page.getByText('No playbook has run yet.').waitFor();
      await page.getByRole('textbox', { name: 'Goal' }).fill('Add CSV export');
      await copied(page, "troupe crew 'Add CSV export' --mode checkpoint").waitFor();
      await page.getByRole('button', { name: 'Propose a line-up' }).click();
      const line = page.getByRole('region', { name: 'Line-up' });
      await line.getByText('9 tasks, 4 of them yours').waitFor();
      const seats = async () => (await line.locator('.seat strong').allTextContents()).join(' ');
      expect(await seats()).toBe('architect dev qa deployer');
      await line.getByRole('textbox', { name: 'Add a seat' }).fill('skeptic');
      await line.getByRole('button', { name: 'Add', exact: true }).click();
      await expect.poll(seats, PATIENCE).toBe('architect dev qa skeptic deployer');
      await line.getByRole('button', { name: 'Move skeptic up' }).click();
      await expect.poll(seats, PATIENCE).toBe('architect dev skeptic qa deployer');
      await copied(line, /--order 'architect,dev,skeptic,qa,deployer'$/).waitFor();
      await line.getByRole('button', { name: 'Drop qa' }).click();
      await line.getByText('Without qa: no one checks it').waitFor();
      await line.getByRole('button', { name: 'Change dev' }).click();
      await line.getByRole('textbox', { name: 'Role in this seat' }).fill('csv-expert');
      await line.getByRole('textbox', { name: 'Model' }).fill('opus');
      await line.getByRole('button', { name: 'Save' }).click();
      await line.getByText('csv-expert as dev').waitFor();
      await line.getByText('model opus').waitFor();
      await picture(page, 'formations-line-up');
      expect(await writtenCommands(page)).toEqual([]);
      expect(await violations(page)).toEqual([]);
      await line.getByRole('button', { name: 'Accept the line-up' }).click();
      const relay = page.getByRole('region', { name: 'Relay' });
      await relay
        .getByRole('heading', { name: /^architect/ })
        .getByText('ready')
        .waitFor();
      const { runs } = (await world.call('playbook.status', {})) as Output<'playbook.status'>;
      const { formation } = (await world.call('playbook.status', { run: runs[0]?.run })) as Output<'playbook.status'>;
      const run = formation as Run;
      expect(page.url()).toContain(`#/runs/list/${run.run}`);
      await pass(world, run, 'architect', ['# Plan\n\nWrite it.\n', CONTRACT]);
      await waits(page).getByRole('heading', { name: 'review the handoff' }).waitFor();
      await relay.getByText('architect passed').waitFor();
      await page.getByRole('region', { name: 'Criteria' }).getByText('0 of 3 pass').waitFor();
      await waits(page).getByRole('button', { name: 'Read PLAN.md' }).click();
      await page.getByRole('dialog', { name: 'PLAN.md' }).getByText('Write it.').waitFor();
      await page.getByRole('button', { name: 'Close' }).click();
      await copied(waits(page), `troupe done ${run.run}-check-architect`).waitFor();
      await waits(page).getByRole('button', { name: 'Done check-architect' }).click();
      await relay.getByRole('heading', { name: /^dev/ }).getByText('ready').waitFor();
      await page.getByRole('textbox', { name: /^Instruction/ }).fill('Keep the old format too.');
      await page.getByRole('button', { name: /^Send/ }).click();
      await page
        .getByRole('region', { name: 'Your instructions' })
        .getByText('dev: Keep the old format too.')
        .waitFor();
      expect(complaints).toEqual([]);
    },
  );

  verifies(
    ['crew.deploy', 'crew.qa.format', 'ui.web.room', 'ui.web.a11y'],
    'a run shows criteria with evidence, what was handed on, and exactly the commands that the go is for',
    async () => {
      let run: Run | undefined;
      const { page, world } = await openFormations(async (own) => {
        run = await propose(own, 'crew', { goal: 'Add CSV export', mode: 'autopilot', yes: true });
        await pass(own, run, 'architect', ['# Plan\n\nWrite it.\n', CONTRACT]);
        await pass(own, run, 'dev', []);
        await own.store.commit((view) => {
          const qa = view.task(`${run?.run}-qa`);
          return { events: qa ? failPhase(view, qa, { handoffs: {}, passed: 2 }) : [], result: undefined };
        });
        await pass(own, run, 'qa', [QA]);
        await pass(own, run, 'deployer', [DEPLOY], { staged: 'npm publish --tag next\n' });
      });
      await page.getByRole('region', { name: 'Waits for you' }).getByRole('link', { name: 'Add CSV export' }).click();
      const criteria = page.getByRole('region', { name: 'Criteria' });
      await criteria.getByText('2 of 3 pass').waitFor();
      await criteria
        .getByRole('row', { name: /3 the page of the guide says how.*FAIL.*docs\/export\.md has 0 lines/ })
        .waitFor();
      await page.getByRole('list', { name: 'Gate of qa' }).getByText('qa did not pass').waitFor();
      await page.getByText('$1.68').waitFor();
      const wrong: string[] = [...(await nameless(page)), ...(await strayTabs(page))];
      for (const size of SIZES) wrong.push(...(await framed(page, size, 'a run')));
      await picture(page, 'formations-crew');
      expect(wrong).toEqual([]);
      expect(await violations(page)).toEqual([]);
      const commands = page.getByRole('region', { name: 'Commands of the release' });
      expect(await commands.textContent()).toBe('npm publish --tag next\n');
      await copied(
        waits(page),
        `troupe playbook go ${run?.run} --seen ${sha256('npm publish --tag next\n')}`,
      ).waitFor();
      await waits(page)
        .getByRole('button', { name: /^Approve the release/ })
        .click();
      await waits(page).waitFor({ state: 'detached' });
      expect(await world.task(`${run?.run}-release`)).toMatchObject({ exec: 'npm publish --tag next\n' });
    },
  );

  verifies(
    ['web.run', 'web.proof', 'ui.web.live'],
    'a run of a workflow is a chart over time: work, reviews, the verdicts of gates; it goes on as the log does',
    async () => {
      const { page, world, complaints } = await openFormations(fixedBug, { holder: { ...OWNER, scope: 'observer' } });
      await page.getByRole('link', { name: 'bug-fix-2' }).click();
      const chart = page.getByRole('region', { name: 'Timeline' });
      const dev = chart.getByRole('link', { name: /^fix ?: in progress/ });
      await dev.waitFor();
      expect(await dev.textContent()).toMatch(
        /after triage, waited 2m, in progress 29m, needs review 6m, rejected by you: No test/,
      );
      await chart
        .getByRole('link', { name: /^gate gate ?: open/ })
        .getByText('gate', { exact: true })
        .last()
        .waitFor();
      const wrong: string[] = [...(await nameless(page)), ...(await strayTabs(page))];
      for (const size of SIZES) wrong.push(...(await framed(page, size, 'a run of a workflow')));
      await picture(page, 'runs-gantt');
      expect(wrong).toEqual([]);
      expect(await violationsInBothThemes(page)).toEqual([]);
      await world.set('bug-fix-2-fix', { status: 'done', completed_at: new Date(world.clock.now()).toISOString() });
      await chart.getByRole('link', { name: /^fix ?: done/ }).click();
      await page.getByRole('complementary', { name: 'Task' }).getByRole('heading', { name: 'Fix it' }).waitFor();
      expect(page.url()).toContain('#/runs/list/bug-fix-2?task=bug-fix-2-fix');
      expect(complaints).toEqual([]);
    },
  );

  verifies(
    ['panel.unanimity', 'sweep.verify'],
    'notes stand side by side, agreement is a warning, and of a sweep slices and verdicts are shown; nobody but a person decides',
    async () => {
      let names: Run[] = [];
      const { page } = await openFormations(
        async (own) => {
          const panel = await propose(own, 'chain', { goal: 'Drop the queue', stages: ['panel', 'crew'], yes: true });
          for (const { name } of panel.seats)
            await own.handIn(
              `${panel.run}-${name}`,
              `### ${name} — SIGN-OFF\n- [high] it blocks whoever writes → bound it\n`,
            );
          await own.step(panel.run, 'unanimity');
          await own.handIn(`${panel.run}-steelman`, 'It would have to be idle for weeks.');
          const sweep = await propose(own, 'sweep', { goal: 'How caches of build tools fail', yes: true });
          for (const { name: slice } of sweep.seats) {
            const entries = Array.from({ length: 5 }, (_, index) => ({
              ...{ id: `${slice}-${index}`, title: `About ${slice} ${index}`, claim: 'it fails' },
              source: `https://${slice}.example/${index}`,
            }));
            await own.handIn(`${sweep.run}-${slice}`, yamlText({ entries }));
          }
          await own.step(sweep.run, 'merge');
          const { ids } = strictYaml(own.text(`${sweep.folder}/sample.yaml`)).value as { ids: string[] };
          await own.handIn(
            `${sweep.run}-synthesis`,
            yamlText({ findings: [{ text: 'They fail.', entries: [ids[0]] }] }),
          );
          const verdicts = ids.map((id, index) => ({ id, verdict: index === 1 ? 'REFUTED' : 'HOLDS', why: 'looked' }));
          await own.handIn(`${sweep.run}-verify`, yamlText({ verdicts }));
          await propose(own, 'crew', { goal: 'Not yet accepted' });
          names = [panel, sweep];
        },
        { holder: { ...OWNER, scope: 'observer' } },
      );
      await page.getByRole('link', { name: 'Drop the queue' }).click();
      await page.getByRole('region', { name: 'All agree' }).getByText('All agree: all sign off').waitFor();
      expect(
        await page.getByRole('region', { name: 'Notes of round 1' }).getByRole('listitem').count(),
      ).toBeGreaterThan(3);
      await page.getByRole('region', { name: 'Chain' }).getByText('not started').waitFor();
      const wrong: string[] = [];
      for (const size of SIZES) wrong.push(...(await framed(page, size, 'a panel')));
      await picture(page, 'formations-panel');
      await goTo(page, `#/runs/list/${names[1]?.run}`);
      await page.getByRole('region', { name: 'Source check' }).getByText('1 refuted').waitFor();
      for (const size of SIZES) wrong.push(...(await framed(page, size, 'a sweep')));
      await picture(page, 'formations-sweep');
      await page.getByRole('link', { name: 'All runs' }).click();
      for (const size of SIZES) wrong.push(...(await framed(page, size, 'the list')));
      await picture(page, 'formations');
      expect(wrong).toEqual([]);
      expect(await violations(page)).toEqual([]);
      await page.getByRole('link', { name: 'Not yet accepted' }).click();
      const accept = page.getByRole('button', { name: /^Accept the line-up/ });
      await accept.waitFor();
      expect(await accept.isDisabled()).toBe(true);
      expect(await page.getByRole('button', { name: 'Drop qa' }).isDisabled()).toBe(true);
    },
  );
});
