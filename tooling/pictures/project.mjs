// A project in full swing, made by the program itself: a shop for tickets with a team, reviews, a question, failures and runs.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { HOME } from '../prepare.mjs';

const CLIENT = path.join(HOME, 'tooling', 'pictures', 'client.mjs');
const PATIENCE_MS = 2 * 60_000;
const LOOK_MS = 300;

const FILES = {
  'package.json': '{ "name": "shop", "version": "0.1.0", "type": "module", "scripts": { "test": "node --test" } }\n',
  'README.md': '# Shop\n\nSells tickets for shows.\n',
  'src/parser.js':
    "/** Rows of a table in CSV. */\nexport function parse(text) {\n  const rows = text.split('\\n');\n  return rows.map((line) => line.split(','));\n}\n",
  'src/errors.js': 'export const ERRORS = {};\n',
  '.claude/roles/skeptic.md':
    '# skeptic\n\n## Charter\n\nTries to refute what everybody takes for true.\n\n## When to use\n\n- a decision is hard to undo\n\n## Body\n\nAsk for the number behind every claim.\n\n## Learnings (core)\n\n- 2026-01-14 — A figure without its unit is no figure.\n\n## Learnings (solo)\n',
  '.claude/roles/crew.md':
    '# Crew\n\n### qa\n- model: sonnet   effort: high\n- status: stable\n- owns: defects and breaches of the contract before release\n- runs: clean 7, thin 0, cuts 1\n- learnings:\n  - 2026-02-11 — the gate command is `npm test`\n',
};
const MEMBERS = ['lead-architect', 'core-implementer', 'backend-engineer', 'qa-engineer', 'docs-writer'];

/** A project below a folder of its own; `troupe` types a command in it. */
export function newProject(room) {
  const folder = path.join(room, 'shop');
  const programs = path.join(room, 'bin');
  for (const made of [folder, programs, path.join(room, 'home'), path.join(room, 'tmp')])
    mkdirSync(made, { recursive: true });
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  writeFileSync(path.join(programs, 'claude'), `#!/bin/sh\nexec '${process.execPath}' '${CLIENT}' "$@"\n`);
  chmodSync(path.join(programs, 'claude'), 0o755);
  const env = {
    PATH: `${programs}:/usr/bin:/bin:${path.dirname(process.execPath)}`,
    ...{
      HOME: path.join(room, 'home'),
      TMPDIR: path.join(room, 'tmp'),
      XDG_RUNTIME_DIR: path.join(room, 'tmp'),
      USER: 'ann',
    },
    ...{ ANTHROPIC_API_KEY: 'sk-ant-not-a-key', LANG: 'C.UTF-8' },
  };
  const git = (...words) =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...words], { cwd: folder, env });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'A shop');
  const troupe = (...words) =>
    execFileSync(process.execPath, [path.join(HOME, 'dist', 'cli.cjs'), ...words], {
      ...{ cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
    });
  return { folder, troupe };
}

const tasksOf = (troupe) => JSON.parse(troupe('list', '--json')).tasks;

async function until(what, holds) {
  const end = Date.now() + PATIENCE_MS;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`It did not come about in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Fills the project, starts its service, and waits until three runs are at work and the others have ended. */
export async function fill({ troupe }) {
  troupe('init');
  troupe('cast', 'propose', '--archetypes', MEMBERS.join(','), '--universe', 'alien');
  troupe('cast', 'confirm', '--intent', 'new');
  const members = JSON.parse(troupe('member', 'list', '--json')).members.map(({ name }) => name);
  const by = (at) => ['--member', members[at % members.length]];
  troupe('config', 'set', 'models.ask', 'never');
  troupe('config', 'set', 'budget.usd_per_day', '20');
  const add = (title, ...words) => troupe('add', title, '--max-retries', '0', ...words);
  add('Design the schema', ...by(0), '--tag', 'data');
  add('Choose a licence', ...by(4));
  add(
    'Handle empty input in the parser',
    ...by(1),
    '--tag',
    'parser',
    '--verify',
    'parse("") has no rows, and a test says so',
    '--verify-cmd',
    'npm test',
  );
  add('Give every API error a code', ...by(2), '--tag', 'api', '--verify', 'Each code has a sentence and a hint');
  add('Design the importer', ...by(0), '--tag', 'parser');
  add('Fix the failing login', ...by(2), '--tag', 'api');
  for (const part of ['stalls', 'circle', 'balcony', 'boxes']) add(`Seat map part ${part}`, ...by(3), '--tag', 'data');
  troupe('service', 'start', '--executor', 'claude', '--max-agents', '3');
  const settled = () => tasksOf(troupe).every(({ status }) => !['open', 'in-progress'].includes(status));
  await until('the first attempts have ended', settled);
  troupe('reject', 'handle-empty-input', '--reason', 'src/parser.js: there is no test for the empty text.');
  await until('the second attempt has ended', settled);
  const work = [
    ['Split the tokenizer', '--tag', 'parser', ...by(1)],
    ['Write the booking rules', '--tag', 'shop', ...by(2)],
    ['Measure the search', '--tag', 'shop', ...by(3)],
  ];
  for (const words of work) add(...words);
  await until('three are at work', () => tasksOf(troupe).filter(({ status }) => status === 'in-progress').length === 3);
  add('Seat map endpoint', '--tag', 'api', '--after', 'write-the-booking', ...by(2));
  add('Prices by season', '--tag', 'shop', ...by(1));
  add('Import last season', '--after-success', 'design-the-importer,split-the-tokenizer', '--tag', 'data', ...by(0));
  add(
    'Deploy to staging',
    '--after-success',
    'give-every-api-error,fix-the-failing,seat-map-endpoint',
    '--tag',
    'shop',
    ...by(3),
  );
  add('Announce it', '--after-success', 'deploy-to-staging', ...by(4));
  add('Nightly dependency review', '--paused', '--exec', 'npm audit');
  troupe('decision', 'add', 'Money is whole cents', '--type', 'architectural', '--rationale', 'Sums stay exact.');
  troupe('decision', 'add', 'Seats are held for ten minutes', '--type', 'scope', '--rationale', 'Long enough to pay.');
  for (const [at, text] of ['The gate command is npm test.', 'A byte order mark belongs to the first field.'].entries())
    troupe('memory', 'add', members[at + 1], text);
  for (const [task, score] of [
    ['design-the-schema', '0.9'],
    ['choose-a-licence', '0.8'],
  ])
    troupe('evaluate', 'record', task, '--score', score, '--source', 'ci:unit');
  troupe('crew', 'add CSV export');
  troupe('team', 'create', 'booking', '--leader', members[0], '--description', 'Seats, prices, payment');
  for (const member of members.slice(1, 3)) troupe('team', 'add', 'booking', member);
  troupe('team', 'add', 'booking', 'Ann', '--person', 'ann', '--position', 'observer');
  troupe(
    'team',
    'task',
    'booking',
    'Hold a seat for ten minutes',
    '--to',
    members[1],
    '--verify',
    'A seat is free again after ten minutes',
  );
  const seats = '# Seats\n\nA seat is free, held or sold. A hold ends after ten minutes; a sale never does.\n';
  troupe('team', 'artifacts', 'booking', '--put', '--content', seats, '--name', 'seats.md');
  troupe('team', 'say', 'booking', 'Seats first, then prices. What is in the way?');
}
