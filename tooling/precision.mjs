// node tooling/precision.mjs FOLDER [--label]: false-positive rate of review findings on clones of public repositories.
// FOLDER holds one clone per OWNER+NAME, at the commits of test/corpus/labels.json. Unlabelled findings are counted
// separately; --label prints them for labelling. Only static findings are measured: no command of a clone is run.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fromSource } from './from-source.mjs';

const INSPECTIONS = ['secrets', 'inventory', 'links', 'hotspots', 'todos', 'big', 'presence'];
const LABELS = path.resolve(import.meta.dirname, '../test/corpus/labels.json');

const [folder = '.', ...flags] = process.argv.slice(2);
const { inspector, git, ranking } = await fromSource({
  inspector: 'src/adapters/inspectors/repository-inspector.ts',
  git: 'src/adapters/git/local-git.ts',
  ranking: 'src/core/review/ranking.ts',
});
const totals = new Map();
for (const { repository, commit, set, wrong, right } of JSON.parse(readFileSync(LABELS, 'utf8')).repositories) {
  const clone = path.resolve(folder, repository.replace('/', '+'));
  if (!existsSync(clone)) continue;
  const head = execFileSync('git', ['-C', clone, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  if (head !== commit)
    process.stdout.write(`${repository} is at ${head.slice(0, 8)}, judged at ${commit.slice(0, 8)}\n`);
  const parts = {
    projectFolder: clone,
    git: new git.LocalGit(process.env),
    programs: undefined,
    environment: process.env,
  };
  const repositoryInspector = new inspector.RepositoryInspector(parts);
  const plan = { repository: clone, dependencies_from: clone, started_at: new Date().toISOString(), head, review: 'x' };
  const findings = [];
  for (const name of INSPECTIONS) findings.push(...(await repositoryInspector.inspect({ name, plan })).findings);
  const first = new Set(ranking.firstThings(findings).flatMap((group) => group.findings.map(({ id }) => id)));
  const total = totals.get(set) ?? { repositories: 0, findings: 0, wrong: 0, unjudged: 0, firstWrong: 0 };
  total.repositories++;
  for (const { id, rule, file, line, detail } of findings) {
    total.findings++;
    if (wrong.includes(id)) total.wrong++;
    if (wrong.includes(id) && first.has(id)) total.firstWrong++;
    if (wrong.includes(id) || right.includes(id)) continue;
    total.unjudged++;
    if (flags.includes('--label'))
      process.stdout.write(`${repository} ${id} ${rule} ${file ?? ''}:${line ?? ''} ${detail}\n`);
  }
  totals.set(set, total);
}
for (const [set, { repositories, findings, wrong, unjudged, firstWrong }] of totals) {
  const share = ((100 * wrong) / Math.max(1, findings - unjudged)).toFixed(1);
  process.stdout.write(
    `${set}: ${repositories} repositories, ${findings} findings, ${wrong} false (${share} %), ${firstWrong} of them among what to do first, ${unjudged} not judged\n`,
  );
}
