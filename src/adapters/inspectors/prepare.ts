import { lstat, rm } from 'node:fs/promises';
import path from 'node:path';
import { type CopyOutcome, copyDependencies } from '#adapters/inspectors/copy-dependencies.js';
import { baseNameOf } from '#core/review/facts.js';
import { type Finding, finding } from '#core/review/finding.js';
import type { ReviewPlan } from '#core/review/plan.js';
import { formatDuration } from '#kernel/duration.js';
import { inert } from '#kernel/text.js';
import type { Git } from '#ports/git.js';
import type { InspectionResult } from '#ports/inspector.js';

/** Folders for installed packages. */
const INSTALLED = ['node_modules', '.venv', 'venv', 'vendor'];
const PACKAGE_FOLDERS_MOST = 100;

/** Creates a worktree of the last commit, with copies of the installed dependencies. */
export async function prepare(
  git: Git,
  plan: ReviewPlan,
  files: readonly string[],
  worktree: string,
): Promise<InspectionResult> {
  // An interrupted attempt may have left a partial worktree.
  await git.removeWorktree(plan.repository, worktree);
  await rm(worktree, { recursive: true, force: true });
  await git.addWorktree(plan.repository, worktree);
  const findings: Finding[] = [];
  const copied: { folder: string; files: number; bytes: number }[] = [];
  const lines = [`Checked out ${plan.head.slice(0, 12)} into a scratch worktree.`];
  let linksLeftOut = 0;
  const began = performance.now();
  for (const folder of await installedFolders(plan, files)) {
    const outcome = await copyDependencies(plan.dependencies_from, worktree, folder);
    linksLeftOut += outcome.linksLeftOut;
    if (outcome.refused === undefined) {
      copied.push({ folder, files: outcome.files, bytes: outcome.bytes });
      lines.push(`Copied ${inert(folder)}: ${outcome.files} files, ${mebibytes(outcome)} MiB.`);
    } else {
      findings.push(notCopied(folder, outcome.refused));
      lines.push(`Did not copy ${inert(folder)}: ${outcome.refused}.`);
    }
  }
  if (copied.length === 0 && findings.length === 0) lines.push('There are no installed dependencies to copy.');
  else lines.push(`Copying took ${formatDuration(performance.now() - began)}.`);
  if (linksLeftOut > 0) lines.push(`${linksLeftOut} links that lead out of the copy were left out.`);
  return {
    command: `git worktree add --detach ${path.basename(worktree)} HEAD`,
    exit_code: 0,
    output: lines.join('\n'),
    findings,
    facts: { copied, links_left_out: linksLeftOut },
  };
}

/** Existing folders of dependencies that are untracked (tracked ones are in the worktree anyway). */
async function installedFolders(plan: ReviewPlan, files: readonly string[]): Promise<string[]> {
  const packages = files.filter((file) => baseNameOf(file) === 'package.json').slice(0, PACKAGE_FOLDERS_MOST);
  const beside = new Set([
    '',
    ...plan.commands.map((command) => command.folder),
    ...packages.map((file) => path.posix.dirname(file)),
  ]);
  const folders: string[] = [];
  for (const folder of beside) {
    for (const name of INSTALLED) {
      const below = path.posix.join(folder, name);
      if (files.some((file) => file.startsWith(`${below}/`))) continue;
      const stats = await lstat(path.join(plan.dependencies_from, below)).catch(() => undefined);
      if (stats?.isDirectory()) folders.push(below);
    }
  }
  return [...new Set(folders)].sort();
}

function notCopied(folder: string, why: string): Finding {
  return finding({
    severity: 'low',
    title: 'Installed dependencies were not copied',
    detail: `${inert(folder)}: ${why}. Commands that need them were not run.`,
    file: folder,
    rule: 'dependencies-not-copied',
    remedy: 'Run the checks yourself, or review a clone with a smaller installation.',
  });
}

const mebibytes = (outcome: CopyOutcome): string => (outcome.bytes / 1024 / 1024).toFixed(1);
