import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { Agency } from '#core/agency/agency.js';
import type { Entity } from '#core/agency/entities.js';
import { newAgent } from '#core/agency/entity-edits.js';
import { fileText } from '#core/agency/entity-text.js';
import { MAKER, role, tradeoff } from '../core/agency/people.js';
import { mass } from '../mass.js';
import { room } from '../room.js';
import { asked, project, start } from '../scenarios/program.js';
import { logOf } from '../scenarios/repository-world.js';
import { verifies } from '../verifies.js';
import { killAfter, killAt, randomFrom, seed } from './killing.js';

/** How many commands are killed in all, and after how many rounds a fresh project is taken. */
const KILLS = mass(5, 500);
const ROUNDS_OF_ONE = 20;
/** How long after a change was set down, and before it is whole, somebody may be killed. */
const WRITING_MS = 120;
/** Evaluations of a round, so that writing takes some of the time that is killed in. */
const SCORES = 60;
const VERBS = ['pull', 'accept', 'apply'] as const;
type Verb = (typeof VERBS)[number];

interface World {
  readonly cwd: string;
  readonly source: string;
}

type Part = 'yes' | 'no' | 'half';

/** What a command of a round does. */
interface Change {
  readonly args: readonly string[];
  readonly op: string;
  /** One word a part of the change: `yes` where it holds, `no` where it does not. */
  parts(): readonly Part[];
}

verifies(
  ['fed.atomic', 'fed.inert', 'agency.file.atomic', 'evolve.report'],
  `${KILLS} kills of pull, accept and evolve apply leave all of it or none, and the log says which`,
  async () => {
    const random = randomFrom(seed);
    const kills = { pull: [0, 0], accept: [0, 0], apply: [0, 0] } satisfies Record<Verb, [number, number]>;
    const total = () => VERBS.reduce((sum, verb) => sum + kills[verb][0] + kills[verb][1], 0);
    const takes = new Map<Verb, number>();
    for (let number = 0; total() < KILLS; ) {
      const world = await freshWorld();
      for (let round = 0; round < ROUNDS_OF_ONE && total() < KILLS; round++, number++) {
        const changes = roundOf(world, number);
        for (const verb of VERBS) {
          const change = changes[verb];
          const usual = takes.get(verb);
          const began = performance.now();
          const running = start([...change.args, '--json'], { cwd: world.cwd });
          const service = path.join(world.cwd, '.workgraph/agency/.service');
          const strike = () =>
            random() < 0.4
              ? killAfter(running.child, (usual ?? 0) * (0.3 + 0.8 * random()))
              : killAt(running.child, service, 'agency.lock', WRITING_MS * random() ** 2);
          const killed = usual !== undefined && (await strike()) ? 1 : 0;
          const { code, stderr } = await running.finished;
          if (killed === 0) expect(code, stderr).toBe(0);
          if (killed === 0) takes.set(verb, performance.now() - began);
          await asked(['role', 'list'], { cwd: world.cwd }); // whoever looks next finishes or forgets it
          const parts = new Set(change.parts());
          expect([...parts], `${verb} ${number} half done, TROUPE_SEED=${seed}`).toHaveLength(1);
          const isDone = parts.has('yes');
          expect(eventsOf(world, change.op), `${verb} ${number} and the log`).toBe(round + (isDone ? 1 : 0));
          if (killed === 0) expect(isDone, `${verb} ${number} said it was done`).toBe(true);
          else kills[verb][isDone ? 1 : 0]++;
          if (!isDone) await asked(change.args, { cwd: world.cwd });
          expect(new Set(change.parts())).toEqual(new Set(['yes']));
        }
      }
      checkWorld(world);
    }
    const said = VERBS.map((verb) => `${verb} ${kills[verb][0]} before, ${kills[verb][1]} after its commit`);
    process.stdout.write(`agency kills, TROUPE_SEED=${seed}: ${said.join('; ')}\n`);
  },
);

async function freshWorld(): Promise<World> {
  const cwd = await project(`agency-${Date.now()}`);
  const source = room();
  for (const folder of ['roles', 'tradeoffs', 'agents', 'evaluations']) mkdirSync(path.join(source, folder));
  return { cwd, source };
}

function roundOf({ cwd, source }: World, number: number): Record<Verb, Change> {
  const [own, weigh] = [role(`Writer ${number}`), tradeoff(`Careful ${number}`)];
  const draft = { name: `Pro ${number}`, capabilities: [], trust_level: 'verified' as const, executor: 'claude' };
  const pro = newAgent(new Agency([]), { ...draft, role_id: own.id, tradeoff_id: weigh.id }, false, MAKER);
  const entities: readonly Entity[] = [own, weigh, pro];
  for (const entity of entities) writeFileSync(path.join(source, fileOf(entity)), fileText(entity));
  const scores = Array.from({ length: SCORES }, (_, at) => `evaluations/e${number}-${at}.yaml`);
  for (const score of scores) writeFileSync(path.join(source, score), scoreText(path.basename(score, '.yaml')));
  const here = (file: string) => path.join(cwd, '.workgraph/agency', file);
  const yes = (is: boolean): Part => (is ? 'yes' : 'no');
  const operations = path.join(cwd, 'operations.json');
  return {
    pull: {
      args: ['agency', 'pull', source],
      op: 'agency_pull',
      parts: () => [...entities.map(fileOf), ...scores].map((file) => yes(existsSync(here(file)))),
    },
    accept: {
      args: ['agent', 'trust', pro.id],
      op: 'agency_accept',
      parts: () => entities.map((entity) => yes(!/^pending: true$/m.test(readFileSync(here(fileOf(entity)), 'utf8')))),
    },
    get apply() {
      const made = ['role', 'tradeoff'].map((kind) => ({
        ...{ op: `create_${kind}`, name: `New ${number}`, description: `Made ${number}.`, rationale: 'It is needed.' },
        ...(kind === 'role' ? { desired_outcome: 'Done.', skills: ['a'] } : { acceptable_tradeoffs: ['Slow'] }),
      }));
      const change = { op: 'modify_role', target_id: own.id, description: `Changed ${number}.`, rationale: 'Better.' };
      writeFileSync(operations, JSON.stringify({ operations: [...made, change] }));
      const [runs, tradeoffs, roles, agents] = ['evolution_runs', 'tradeoffs', 'roles', 'agents'].map((folder) =>
        count(cwd, folder),
      );
      const before = { runs: runs ?? 0, tradeoffs: tradeoffs ?? 0, roles: roles ?? 0, agents: agents ?? 0 };
      return {
        args: ['evolve', 'apply', operations],
        op: 'evolve',
        // a report, a trade-off, two roles, and an agent for each of them
        parts: () => [
          grown(count(cwd, 'evolution_runs') - before.runs, 1),
          grown(count(cwd, 'tradeoffs') - before.tradeoffs, 1),
          grown(count(cwd, 'roles') - before.roles, 2),
          grown(count(cwd, 'agents') - before.agents, 3),
        ],
      };
    },
  };
}

const fileOf = ({ kind, id }: Entity) => `${kind}s/${id}.yaml`;

function scoreText(id: string): string {
  const rest = 'score: 0.5\nnotes: ""\nevaluator: "x"\nsource: "llm"\ntimestamp: "2026-01-01T00:00:00Z"\n';
  return `id: "${id}"\ntask_id: "t"\n${rest}`;
}

function namesIn(cwd: string, folder: string): string[] {
  const place = path.join(cwd, '.workgraph/agency', folder);
  return existsSync(place) ? readdirSync(place).filter((name) => name.endsWith('.yaml')) : [];
}

const count = (cwd: string, folder: string) => namesIn(cwd, folder).length;

/** `half` of neither: a change that is there in part. */
const grown = (by: number, whole: number): Part => (by === 0 ? 'no' : by === whole ? 'yes' : 'half');

/** How many changes of this kind the log tells of: groups count when they are whole. */
function eventsOf({ cwd }: World, op: string): number {
  return logOf(cwd).filter((entry) => entry.op === op && (entry.tx === undefined || entry.tx[0] === entry.tx[1]))
    .length;
}

function checkWorld({ cwd }: World): void {
  const log = logOf(cwd);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
  expect(log.filter(({ op }) => op === 'hand_edit')).toEqual([]);
  const records = path.join(cwd, '.workgraph/agency/.service/changes/agency');
  const underWay = existsSync(records) ? readdirSync(records).filter((name) => !name.includes('.settled-')) : [];
  expect(underWay).toEqual([]);
}
