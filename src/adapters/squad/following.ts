import path from 'node:path';
import type { FileChange } from '#core/team/file-change.js';
import { REGISTRY_EVENTS } from '#core/team/squad-paths.js';
import { teamChangeOf } from '#core/team/team-change.js';
import type { TeamFollower, TeamNews } from '#ports/squad-files.js';
import { readTexts } from './squad-reader.js';

/** By follower: what it answered before the write was committed. */
export type Marks = Readonly<Record<string, number>>;

/** Those who keep something of the team beside its files. They are made when a write is under way, not before. */
export class Following {
  private readonly project: string;
  private readonly followers: () => Promise<readonly TeamFollower[]>;

  constructor(project: string, followers: () => Promise<readonly TeamFollower[]>) {
    this.project = project;
    this.followers = followers;
  }

  /** Before anything is written: whoever could not follow refuses now. */
  async prepare(changes: readonly FileChange[]): Promise<Marks> {
    if (teamChangeOf('', new Map(), changes) === undefined) return {};
    const marks: Record<string, number> = {};
    for (const follower of await this.followers()) marks[follower.name] = await follower.prepare();
    return marks;
  }

  /** After the files are written, as often as it takes. */
  async follow(
    changes: readonly FileChange[],
    marks: Marks,
    step: (name: string) => void | Promise<void>,
  ): Promise<TeamNews> {
    const tasks: string[] = [];
    if (teamChangeOf('', new Map(), changes) === undefined) return { tasks };
    const change = teamChangeOf(path.basename(this.project), await readTexts(this.project), changes);
    for (const follower of change ? await this.followers() : []) {
      await step(`follow ${follower.name}`);
      if (change) tasks.push(...(await follower.follow(change, marks[follower.name] ?? 0)).tasks);
    }
    return { tasks };
  }

  /** The team as it stands, for those who lost what they had of it. It is told of no change. */
  async retell(): Promise<void> {
    const nothing: FileChange = { kind: 'append', path: REGISTRY_EVENTS, idField: 'eventId', lines: [] };
    await this.follow([nothing], {}, () => undefined);
  }
}
