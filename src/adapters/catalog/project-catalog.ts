import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Catalog } from '#core/catalog/catalog.js';
import type { CatalogFile } from '#core/catalog/catalog-file.js';
import { type CatalogAdditions, extendCatalog } from '#core/catalog/extend.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { inSentence } from '#kernel/text.js';
import type { CatalogSource } from '#ports/catalog-source.js';
import { NOTHING_AHEAD } from './parsed-ahead.js';
import { readCatalogText, readYaml, textsById } from './yaml-file.js';

const CATALOG = '.squad/catalog';
const UNIVERSES = '.squad/casting/universes';

/**
 * The shipped catalog with the additions of the project: archetypes, charters and groupings in `.squad/catalog`, pools
 * of names in `.squad/casting/universes`. Read anew each time, because people edit the files. Links are not followed.
 */
export class ProjectCatalog implements CatalogSource {
  private readonly shipped: CatalogSource;
  private readonly project: string;

  /**
   * `project` is the absolute path of the folder that holds `.squad/`. The shipped catalog may be shared by several
   * projects.
   */
  constructor(shipped: CatalogSource, project: string) {
    this.shipped = shipped;
    this.project = project;
  }

  async load(): Promise<Catalog> {
    const { catalog, problems } = await this.extended();
    const [first] = problems;
    if (first !== undefined) throw first;
    return catalog;
  }

  async lint(): Promise<{ files: number; problems: readonly TroupeError[] }> {
    const files = await this.files();
    const { problems } = extendCatalog(await this.shipped.load(), files);
    return { files: Object.values(files).reduce((sum, list) => sum + list.length, 0), problems };
  }

  async charterTemplates(archetypeIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { archetypes } = await this.load();
    const isOwn = (id: string) => archetypes.get(id)?.source === 'project';
    const shipped = await this.shipped.charterTemplates(archetypeIds.filter((id) => !isOwn(id)));
    const own = await textsById([...new Set(archetypeIds)].filter(isOwn), (id) =>
      this.reading(`${CATALOG}/charters/${id}.md`, (name) => readCatalogText(this.project, name)),
    );
    return new Map([...shipped, ...own]);
  }

  policyText() {
    return this.shipped.policyText();
  }

  reviewPolicies() {
    return this.shipped.reviewPolicies();
  }

  sandboxProfiles() {
    return this.shipped.sandboxProfiles();
  }

  blueprints() {
    return this.shipped.blueprints();
  }

  async workflow(id: string) {
    await this.load(); // with an invalid addition, the shipped entries are refused too
    return await this.shipped.workflow(id);
  }

  private async extended() {
    return extendCatalog(await this.shipped.load(), await this.files());
  }

  private async files(): Promise<CatalogAdditions> {
    const [archetypes, groupings, universes, templates] = await Promise.all([
      this.yaml(`${CATALOG}/archetypes`),
      this.yaml(`${CATALOG}/groupings`),
      this.yaml(UNIVERSES),
      this.names(`${CATALOG}/charters`, '.md'),
    ]);
    const charters = templates.map((name) => ({ name, id: path.posix.basename(name, '.md') }));
    return { archetypes, groupings, universes, charters };
  }

  private async yaml(folder: string): Promise<(CatalogFile | TroupeError)[]> {
    const names = await this.names(folder, '.yaml');
    return await Promise.all(
      names.map((name) =>
        this.reading(name, (inside) => readYaml(this.project, inside, NOTHING_AHEAD)).catch((error: unknown) => {
          if (error instanceof TroupeError) return error;
          throw error;
        }),
      ),
    );
  }

  /** Files of a folder, sorted, as paths relative to the project. */
  private async names(folder: string, ending: string): Promise<string[]> {
    let files: string[];
    try {
      await this.refuseLink(folder);
      files = await readdir(path.join(this.project, folder));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return [];
      if (error instanceof TroupeError) throw error;
      throw new TroupeError('unreadable', { what: `The folder ${folder} cannot be read.`, cause: error });
    }
    const names = files.filter((name) => name.endsWith(ending)).sort();
    if (names.length > TEAM_LIMITS.catalogProjectFiles) {
      throw new TroupeError('catalog_invalid', {
        what: `${folder}: more than ${TEAM_LIMITS.catalogProjectFiles} files`,
        details: { file: folder, field: '' },
      });
    }
    return names.map((name) => `${folder}/${name}`);
  }

  private async reading<Value>(name: string, read: (name: string) => Promise<Value>): Promise<Value> {
    try {
      await this.refuseLink(name);
    } catch (error) {
      // A missing file is reported by the reader.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return await read(name);
  }

  /** Refuses links, because even a committed one could point outside the project. Errors: `unsafe_path`. */
  private async refuseLink(name: string): Promise<void> {
    const file = await realpath(path.join(this.project, name));
    if (file === path.join(await realpath(this.project), name)) return;
    throw new TroupeError('unsafe_path', {
      what: `${inSentence(name)} is a link: it is not read.`,
    });
  }
}
