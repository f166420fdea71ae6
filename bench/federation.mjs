// Measures two projects with 1,000 entities and 10,000 evaluations each, half of them shared: a full exchange by whole
// processes, then a second one with nothing left to exchange.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fromSource } from '../tooling/from-source.mjs';
import { CLI, inProject, median, timeProcess } from './measure.mjs';

const ROLES = 600;
const AGENTS = 400;
const SCORES = 10_000;
const PASSES = 5;
const BAR_MS = 2_000;
const MAKER = { now: Date.UTC(2026, 0, 1), by: 'human' };

export default async () => {
  const { edits, agency, text, read } = await fromSource({
    edits: 'src/core/agency/entity-edits.ts',
    agency: 'src/core/agency/agency.ts',
    text: 'src/core/agency/entity-text.ts',
    read: 'src/core/agency/read.ts',
  });
  const none = new agency.Agency([]);
  const lists = { acceptable_tradeoffs: ['Slow'], unacceptable_tradeoffs: [] };
  const careful = edits.newTradeoff(none, { name: 'Careful', description: 'Careful.', ...lists }, MAKER);
  const roleOf = (number) => {
    const words = { name: `Role ${number}`, description: `Does ${number}, and says why.`, desired_outcome: 'Done.' };
    return edits.newRole(none, { ...words, skills: [{ name: 'writing' }] }, MAKER);
  };
  const agentOf = (role, number) => {
    const draft = { name: `Agent ${number}`, capabilities: [], trust_level: 'verified', executor: 'claude' };
    return edits.newAgent(none, { ...draft, role_id: role.id, tradeoff_id: careful.id }, false, MAKER);
  };

  /** The second half of the first project equals the first half of the second. */
  const fill = (folder, half) => {
    const top = path.join(folder, '.workgraph', 'agency');
    for (const name of ['roles', 'tradeoffs', 'agents', 'evaluations'])
      mkdirSync(path.join(top, name), { recursive: true });
    const put = (entity) =>
      writeFileSync(path.join(top, `${entity.kind}s`, `${entity.id}.yaml`), text.fileText(entity));
    const references = new Map();
    const roles = Array.from({ length: ROLES }, (_, at) => roleOf(at + (half * ROLES) / 2));
    for (let at = 0; at < SCORES; at++) {
      const number = at + (half * SCORES) / 2;
      const role = roles[Math.floor(at / (SCORES / 2)) * (ROLES / 2) + (number % (ROLES / 2))];
      const [id, task_id] = [`eval-${number}`, `task-${number}`];
      const timestamp = new Date(MAKER.now + number * 1_000).toISOString();
      const score = (number % 11) / 10;
      const about = { role_id: role.id, tradeoff_id: careful.id };
      const said = { notes: 'As it should be.', evaluator: 'ann', source: 'llm', timestamp };
      writeFileSync(
        path.join(top, 'evaluations', `${id}.yaml`),
        text.recordText({ id, task_id, ...about, score, ...said }),
      );
      const reference = { score, task_id, timestamp, context_id: careful.id, evaluation_id: id, source: 'llm' };
      references.set(role.id, [...(references.get(role.id) ?? []), reference]);
    }
    put(careful);
    for (const role of roles) put({ ...role, performance: read.performanceFrom(references.get(role.id) ?? []) });
    for (let at = 0; at < AGENTS - 1; at++) put(agentOf(roles[at], at + (half * ROLES) / 2));
  };

  const takes = { new: [], again: [] };
  await inProject(async (here) => {
    await inProject(async (there) => {
      fill(here, 0);
      fill(there, 1);
      for (let pass = 0; pass < PASSES; pass++) {
        const [one, other] = [`${here}-${pass}`, `${there}-${pass}`];
        cpSync(here, one, { recursive: true });
        cpSync(there, other, { recursive: true });
        const bothWays = () =>
          timeProcess(process.execPath, [CLI, 'agency', 'pull', other], { cwd: one }) +
          timeProcess(process.execPath, [CLI, 'agency', 'pull', one], { cwd: other });
        takes.new.push(bothWays());
        takes.again.push(bothWays());
      }
    });
  });
  return Object.entries(takes).map(([what, times]) => ({
    name: `agency pull both ways, 1,000 entities, 10,000 evaluations, ${what}`,
    figure: `p50 ${median(times).toFixed(0)} ms`,
    bar: `${BAR_MS} ms`,
    met: median(times) <= BAR_MS,
  }));
};
