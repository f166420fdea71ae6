import { FunctionFolder } from '#adapters/catalog/function-folder.js';
import { OutputFolder } from '#adapters/files/output-folder.js';
import type { Context } from '#operations/operation.js';
import { GraphInMemory } from '../../graph-in-memory.js';
import { Stage } from '../team/casting-stage.js';
import { Calls } from '../told.js';

/** Days begin at another hour if the machine has another time zone. */
const NEXT = /"next":"[^"]+"/g;

/** A project with workflows and functions, and the answers or refusals of each call. */
export class Works extends Stage {
  override store = new GraphInMemory({ now: () => this.now });
  readonly calls = new Calls(() => this.context());

  override context(): Context {
    return {
      ...super.context(),
      functions: async () => new FunctionFolder(this.folder),
      outputs: async () => new OutputFolder(this.folder, this.folder),
    } as Context;
  }

  /** All lines, without what differs from run to run. */
  get text(): string {
    return this.calls.text.replaceAll(this.folder, 'PROJECT').replace(NEXT, '"next":"LATER"');
  }

  async put(id: string, fields: object): Promise<void> {
    const put = {
      kind: 'task',
      id,
      title: id,
      status: 'open',
      created_at: new Date(this.now).toISOString(),
      ...fields,
    };
    await this.store.commit(() => ({
      events: [{ op: 'add_task', task_id: id, patch: [{ id, put }] }],
      result: undefined,
    }));
  }

  async set(id: string, set: object): Promise<void> {
    await this.store.commit(() => ({
      events: [{ op: 'edit', task_id: id, patch: [{ id, set: set as never }] }],
      result: undefined,
    }));
  }
}
