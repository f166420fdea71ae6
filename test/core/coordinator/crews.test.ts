import path from 'node:path';
import { expect, test } from 'vitest';
import type { CoordinatorDecision } from '#core/coordinator/parts.js';
import { decide } from '#core/coordinator/parts.js';
import type { Budget } from '#core/coordinator/snapshot.js';
import { NOTHING_SPENT } from '#core/coordinator/snapshot.js';
import { compileCrew, namedCrew } from '#core/playbooks/crew.js';
import { checkedRecord, recordEvent, stepId } from '#core/playbooks/record.js';
import { acceptLineUp, addProposedRun } from '#core/playbooks/run-moves.js';
import { NO_ROLES } from '#core/roles/lane.js';
import { Play } from '../graph/graph.js';
import { page, RUN, recordOf } from '../playbooks/records.js';
import { type Fields, snapshot } from './stage.js';

const SEATS = [{ name: 'architect' }, { name: 'dev' }, { name: 'qa' }];
const CREW = compileCrew('Drop the queue', namedCrew(NO_ROLES, SEATS), { run: RUN, mode: 'checkpoint' });
const REPORT = {
  ...{ tried: 'Two ways.', why: 'Bash is denied.', needs: 'Bash.', escalation: 'owner of Bash' },
  ...{ diagnosis: undefined, context: [], sha256: 'ab12' },
};

function crew(): Play {
  const play = new Play();
  play.move((view, { now }) =>
    addProposedRun(view, recordOf({ state: 'proposed', seats: SEATS }), CREW, { now, actor: 'ann' }),
  );
  play.move((view, { now }) => acceptLineUp(view, checkedRecord(view, RUN), new Map(), { now, actor: 'ann' }));
  return play;
}

/** Both seats are stuck, each without anything else to do. */
function stuck(report: typeof REPORT | undefined, ...phases: string[]): Play {
  const play = crew();
  for (const phase of phases) {
    const known = checkedRecord(play.state, RUN);
    const stumble = { rungs: [], passed: [], ...(report ? { report } : {}) };
    const record = { ...known, stumbles: { ...known.stumbles, [phase]: stumble } };
    const set = { status: 'waiting', wait_condition: { conditions: [{ type: 'message' }], mode: 'all' } };
    play.move(() => ({
      events: [
        recordEvent(play.state, record, 'stumble', { actor: 'x' }),
        { op: 'wait', patch: [{ id: stepId(RUN, phase), set }] },
      ],
      result: undefined,
    }));
  }
  return play;
}

const told = (decision: CoordinatorDecision): string[] => {
  const { events, ...rest } = decision;
  const record =
    'record' in rest ? { record: '…', ...('outcome' in rest.record ? { outcome: rest.record.outcome } : {}) } : {};
  const who =
    'stuck' in rest ? { stuck: `${rest.stuck.phase} of ${rest.stuck.task.id}: ${rest.stuck.report.why}` } : {};
  return [
    `  ${JSON.stringify({ ...rest, ...record, ...who })}`,
    ...events.map(
      ({ op, task_id, actor, detail, patch }) =>
        `    ${op} ${task_id ?? ''} ${actor ?? ''} ${JSON.stringify({ detail, patch })}`,
    ),
  ];
};

test('what the coordinator wants of crews: who helps, what was handed over, and how it ended', async () => {
  const rows: string[] = [];
  const round = (
    title: string,
    play: Play,
    errands: { underWay?: string[]; answers?: [string, object][] } = {},
    more: Fields = {},
  ) => {
    const { underWay = [], answers = [] } = errands;
    const facts = { underWay: new Set(underWay), answers: new Map(answers) };
    const picture = snapshot(play.state, { paused: true, errands: facts as Fields['errands'], ...more } as Fields);
    rows.push(`# ${title}`, ...decide(picture, play.now).flatMap(told));
  };
  round('nothing is stuck', crew());
  const [dev, architect] = [stepId(RUN, 'dev'), stepId(RUN, 'architect')];
  const help = (phase: string) => `help ${stepId(RUN, phase)} 0 0`;
  const user = { of: 'help', help: { climb: { rung: 'user', why: 'Bash is denied.' }, relief: {} } };
  round('one is stuck', stuck(REPORT, 'dev'), {}, { tiers: ['haiku', 'opus'] });
  round('its help is looked for', stuck(REPORT, 'dev'), { underWay: [help('dev')] });
  round('help was found', stuck(REPORT, 'dev'), { answers: [[help('dev'), user]] });
  round('none could be looked for', stuck(REPORT, 'dev'), {
    answers: [[help('dev'), { of: 'error', text: 'No disk.' }]],
  });
  const replan = { of: 'help', help: { climb: { rung: 're-plan', why: 'the plan is wrong' }, relief: {} } };
  round('it is planned again', stuck(REPORT, 'dev'), { answers: [[help('dev'), replan]] });
  round('two are stuck, and one has help', stuck(REPORT, 'architect', 'dev'), { answers: [[help('architect'), user]] });
  const budget = (usdTotal: number): Budget => ({
    ...{
      caps: { usdTotal },
      reserve: { usd: 1, tokens: 1 },
      spent: { ...NOTHING_SPENT, usdTotal: 5 },
      reserved: new Map(),
    },
  });
  round('nothing is left to spend', stuck(REPORT, 'dev'), {}, { budget: budget(5) });
  round('enough is left to spend', stuck(REPORT, 'dev'), {}, { budget: budget(9) });
  const passed = crew();
  passed.done(architect);
  const at = passed.task(architect).completed_at ?? '';
  const look = `hand-in ${architect} 0 ${at}`;
  round('a phase is done', passed);
  round('it is looked at', passed, { underWay: [look] });
  const handIn = { handoffs: { 'plan.md': 'ab12' } };
  round('it handed something over', passed, { answers: [[look, { of: 'hand-in', handIn }]] });
  round('nothing could be looked at', passed, { answers: [[look, { of: 'error', text: 'No disk.' }]] });
  const over = crew();
  for (const id of CREW.tasks.map((task) => task.id)) if (over.state.task(id)?.status !== 'done') over.done(id);
  round('all is done', over);
  round('it is written down', over, { underWay: [`formation ${RUN}`] });
  round('it was written down', over, { answers: [[`formation ${RUN}`, { of: 'formation' }]] });
  round('it could not be', over, { answers: [[`formation ${RUN}`, { of: 'error', text: 'No disk.' }]] });
  expect(dev).toBe(`${RUN}-dev`);
  await expect(page(rows)).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/crews.txt'));
});
