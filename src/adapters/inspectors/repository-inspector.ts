/**
 * The inspections of a review, one per file, and the folder of its report; the bounded scan with which casting starts.
 * @packageDocumentation
 */
import { FileReportFolder } from '#adapters/inspectors/report-folder.js';
import { TrackedFileReader } from '#adapters/inspectors/tracked-files.js';
import { baseNameOf, reviewedFiles } from '#core/review/facts.js';
import { presenceOf, SECTION_FILES } from '#core/review/presence.js';
import { TroupeError } from '#kernel/errors.js';
import type { Git } from '#ports/git.js';
import type { InspectionRequest, InspectionResult, Inspector, Leak, Passage } from '#ports/inspector.js';
import type { Programs } from '#ports/programs.js';

const NAMED_FILES_MOST = 200;

/** Implements the Inspector port. Each inspection is a module beside this one, loaded on demand. */
export class RepositoryInspector implements Inspector {
  readonly folder: FileReportFolder;
  private readonly git: Git;
  private readonly programs: Programs;
  private readonly environment: NodeJS.ProcessEnv;

  /**
   * `environment` is that of this process; `programEnvironment` decides which variables commands of a repository see.
   */
  constructor(parts: { projectFolder: string; git: Git; programs: Programs; environment: NodeJS.ProcessEnv }) {
    this.folder = new FileReportFolder(parts.projectFolder);
    this.git = parts.git;
    this.programs = parts.programs;
    this.environment = parts.environment;
  }

  async trackedFiles(repository: string): Promise<readonly string[]> {
    return reviewedFiles(await this.git.output(repository, ['ls-files', '-z']));
  }

  async readNamed(
    repository: string,
    files: readonly string[],
    names: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const requested = new Set(names);
    const texts = new Map<string, string>();
    const reader = new TrackedFileReader(repository);
    const matches = files
      .filter((file) => requested.has(baseNameOf(file)))
      .sort((left, right) => left.split('/').length - right.split('/').length)
      .slice(0, NAMED_FILES_MOST);
    for await (const { file, text } of reader.texts(matches)) texts.set(file, text);
    return texts;
  }

  async leaks(passages: readonly Passage[]): Promise<readonly Leak[]> {
    return (await import('#adapters/inspectors/secrets.js')).leaksIn(passages, this.environment);
  }

  async inspect(request: InspectionRequest): Promise<InspectionResult> {
    const { name, plan, command } = request;
    if (name === 'command') {
      if (!command)
        throw new TroupeError('bad_input', { what: 'Which command should run?', hint: 'Name it with --command.' });
      const { runCommand } = await import('#adapters/inspectors/command.js');
      return runCommand(plan, command, this.folder.worktree(plan.review), this.environment, this.programs);
    }
    const files = await this.trackedFiles(plan.repository);
    const reader = new TrackedFileReader(plan.repository);
    switch (name) {
      case 'prepare':
        return (await import('#adapters/inspectors/prepare.js')).prepare(
          this.git,
          plan,
          files,
          this.folder.worktree(plan.review),
        );
      case 'secrets':
        return (await import('#adapters/inspectors/secrets.js')).secrets(reader, files);
      case 'inventory':
        return (await import('#adapters/inspectors/inventory.js')).inventory(reader, plan, files);
      case 'links':
        return (await import('#adapters/inspectors/links.js')).links(this.git, reader, plan, files);
      case 'hotspots':
        return (await import('#adapters/inspectors/hotspots.js')).hotspots(this.git, reader, plan, files);
      case 'todos':
        return (await import('#adapters/inspectors/todos.js')).todos(reader, files);
      case 'big':
        return (await import('#adapters/inspectors/big.js')).big(reader, files);
      case 'presence':
        return presence(files, await this.readNamed(plan.repository, files, SECTION_FILES));
    }
  }
}

function presence(files: readonly string[], texts: ReadonlyMap<string, string>): InspectionResult {
  const { rows, findings } = presenceOf(files, texts);
  return {
    command: 'git ls-files, compared with what people look for',
    exit_code: 0,
    output: rows.map((row) => `${row.file === null ? 'missing' : 'present'}: ${row.said}`).join('\n'),
    findings,
    facts: { rows, files: files.length },
  };
}
