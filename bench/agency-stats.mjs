// Measures the whole process of `troupe agency stats` with 10,000 scores against bare Node.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fromSource } from '../tooling/from-source.mjs';
import { CLI, inProject, median, timeProcess, troupe, writeTasks } from './measure.mjs';

const SCORES = 10_000;
const TASKS = 2_000;
const PASSES = 9;
const BAR_MS = 300;

/**
 * Writes the agency files for this number of scores of four roles and four trade-offs, one file per score included, in
 * the format of the program.
 */
export async function writeAgency(folder, scores, taskId) {
  const { agency, credit, edits, read, record, text } = await fromSource({
    agency: 'src/core/agency/agency.ts',
    credit: 'src/core/agency/credit.ts',
    edits: 'src/core/agency/entity-edits.ts',
    read: 'src/core/agency/read.ts',
    record: 'src/core/agency/record-evaluation.ts',
    text: 'src/core/agency/entity-text.ts',
  });
  const none = new agency.Agency([]);
  const maker = { now: Date.parse('2026-01-01'), by: 'human' };
  const names = ['One', 'Two', 'Three', 'Four'];
  const roles = names.map((name) =>
    edits.newRole(none, { name, description: `Does ${name}.`, desired_outcome: 'Done.', skills: [] }, maker),
  );
  const lists = { acceptable_tradeoffs: [], unacceptable_tradeoffs: [] };
  const tradeoffs = names.map((name) =>
    edits.newTradeoff(none, { name, description: `Weighs ${name}.`, ...lists }, maker),
  );
  const plain = { capabilities: [], trust_level: 'provisional', executor: 'claude' };
  const agents = roles.flatMap(({ id: role_id, name }) =>
    tradeoffs.map(({ id: tradeoff_id }) => edits.newAgent(none, { ...plain, name, role_id, tradeoff_id }, true, maker)),
  );
  const everybody = new agency.Agency([...roles, ...tradeoffs, ...agents]);
  const references = new Map();
  const evaluations = path.join(folder, '.workgraph/agency/evaluations');
  mkdirSync(evaluations, { recursive: true });
  for (let number = 0; number < scores; number++) {
    const agent = agents[number % agents.length];
    const timestamp = new Date(maker.now + number * 60_000).toISOString();
    const scored = {
      id: `eval-${taskId(number)}-${timestamp.replaceAll(':', '-')}`,
      task_id: taskId(number),
      timestamp,
    };
    const whole = {
      ...scored,
      score: (number % 97) / 97,
      source: number % 5 === 0 ? 'ci:unit' : 'llm',
      agent_id: agent.id,
    };
    const { entities, role_id, tradeoff_id } = credit.credit(everybody, whole);
    for (const { id, performance } of entities) {
      if (!references.has(id)) references.set(id, []);
      references.get(id).push(...performance.evaluations);
    }
    const more = { attempt: 1, role_id, tradeoff_id, dimensions: {}, notes: 'As it should be.', evaluator: 'ann' };
    writeFileSync(path.join(evaluations, `${whole.id}.yaml`), record.evaluationText({ ...more, ...whole }));
  }
  for (const entity of [...roles, ...tradeoffs, ...agents]) {
    const place = path.join(folder, '.workgraph/agency', `${entity.kind}s`);
    mkdirSync(place, { recursive: true });
    const performance = read.performanceFrom(references.get(entity.id) ?? []);
    writeFileSync(path.join(place, `${entity.id}.yaml`), text.fileText({ ...entity, performance }));
  }
}

export default () =>
  inProject(async (folder) => {
    writeTasks(folder, TASKS, (number) => ({ tags: [`tag-${number % 7}`] }));
    troupe(folder, 'add', 'The first change'); // the graph now belongs to Troupe
    await writeAgency(folder, SCORES, (number) => `task-${String(number % TASKS).padStart(6, '0')}`);
    const [bare, ours] = [[], []];
    for (let pass = 0; pass < PASSES; pass++) {
      bare.push(timeProcess(process.execPath, ['-e', '0']));
      ours.push(timeProcess(process.execPath, [CLI, 'agency', 'stats', '--json'], { cwd: folder }));
    }
    const [node, whole] = [median(bare), median(ours)];
    return [
      {
        name: `agency stats, ${SCORES.toLocaleString('en')} scores`,
        figure: `p50 ${whole.toFixed(0)} ms (bare Node + ${(whole - node).toFixed(0)} ms)`,
        bar: `${BAR_MS} ms`,
        met: whole <= BAR_MS,
      },
    ];
  });
