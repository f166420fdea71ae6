/**
 * Texts of the package and of the project, read as untrusted: catalog entries, workflows, policies, functions, the wording
 * of prompts, skills of a role.
 * @packageDocumentation
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { assembleCatalog } from '#core/catalog/assemble.js';
import type { Catalog } from '#core/catalog/catalog.js';
import { type CatalogFile, readEntry, refuseField } from '#core/catalog/catalog-file.js';
import { parseWorkflow } from '#core/catalog/parse-workflow.js';
import { blueprintSchema, reviewPolicySchema, sandboxProfileSchema } from '#core/catalog/policies.js';
import type { Workflow } from '#core/catalog/workflow.js';
import { TroupeError } from '#kernel/errors.js';
import { didYouMean } from '#kernel/text.js';
import type { CatalogSource } from '#ports/catalog-source.js';
import type { ParsedAhead } from './parsed-ahead.js';
import { readCatalogText, readLines, readYaml, textsById } from './yaml-file.js';

/** The catalog in a folder of YAML and Markdown files. Files are read on first use and cached. */
export class YamlCatalog implements CatalogSource {
  private readonly folder: string;
  private readonly ahead: ParsedAhead;
  private catalog: Promise<Catalog> | undefined;

  /** `folder` is the absolute path of `data/catalog`; `ahead` holds the values parsed at build time. */
  constructor(folder: string, ahead: ParsedAhead) {
    this.folder = folder;
    this.ahead = ahead;
  }

  load(): Promise<Catalog> {
    this.catalog ??= this.read();
    return this.catalog;
  }

  async charterTemplates(archetypeIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { archetypes } = await this.load();
    const known = [...new Set(archetypeIds)].filter((id) => archetypes.has(id));
    return await textsById(known, (id) => readCatalogText(this.folder, `charters/${id}.md`));
  }

  /** The shipped catalog was validated when it was built. */
  async lint(): Promise<{ files: number; problems: readonly TroupeError[] }> {
    return { files: 0, problems: [] };
  }

  async policyText(): Promise<string> {
    const text = await readCatalogText(this.folder, 'rai-policy.md');
    if (text === undefined) throw new TroupeError('catalog_invalid', { what: 'rai-policy.md: the file is missing' });
    return text;
  }

  reviewPolicies() {
    return this.shelf('review-policies', reviewPolicySchema);
  }

  sandboxProfiles() {
    return this.shelf('sandbox-profiles', sandboxProfileSchema);
  }

  blueprints() {
    return this.shelf('blueprints', blueprintSchema);
  }

  async workflow(id: string): Promise<Workflow> {
    const { workflows } = await this.load();
    if (!workflows.includes(id)) {
      const suggestion = didYouMean(id, workflows);
      throw new TroupeError('unknown_workflow', {
        what: `The catalog has no workflow ${JSON.stringify(id)}.`,
        hint: suggestion === undefined ? `Name one of: ${workflows.join(', ')}.` : `Did you mean ${suggestion}?`,
        details: { workflows },
      });
    }
    const file = await this.yaml(`workflows/${id}.yaml`);
    const workflow = parseWorkflow(file.value, file.name);
    if (workflow.id !== id) {
      throw new TroupeError('workflow_invalid', {
        what: `${file.name}: id: “${workflow.id}” is not the name of the file`,
      });
    }
    return workflow;
  }

  private async read(): Promise<Catalog> {
    const [manifest, builtins, lexicon, signalRules, workKinds, goalExamples, ...folders] = await Promise.all([
      this.yaml('manifest.yaml'),
      this.yaml('builtins.yaml'),
      this.yaml('lexicon.yaml'),
      this.yaml('signal-rules.yaml'),
      this.yaml('work-kinds.yaml'),
      readLines(this.folder, 'goal-examples.txt'),
      this.all('archetypes'),
      this.all('groupings'),
      this.all('universes'),
    ]);
    const [archetypes, groupings, universes] = folders;
    return assembleCatalog({
      manifest,
      builtins,
      lexicon,
      signalRules,
      workKinds,
      goalExamples,
      archetypes,
      groupings,
      universes,
    });
  }

  /** Entries of one folder of the catalog, by id. The id of an entry must equal its file name. */
  private async shelf<Entry extends { readonly id: string }>(
    kind: string,
    schema: FileSchema<Entry>,
  ): Promise<ReadonlyMap<string, Entry>> {
    const shelf = new Map<string, Entry>();
    for (const file of await this.all(kind)) {
      const entry = readEntry(schema, file);
      if (`${kind}/${entry.id}.yaml` !== file.name)
        refuseField(file, ['id'], `“${entry.id}” is not the name of the file`);
      shelf.set(entry.id, entry);
    }
    return shelf;
  }

  private yaml(name: string): Promise<CatalogFile> {
    return readYaml(this.folder, name, this.ahead);
  }

  private async all(kind: string): Promise<CatalogFile[]> {
    let names: string[];
    try {
      names = await readdir(path.join(this.folder, kind));
    } catch (error) {
      throw new TroupeError('unreadable', { what: `The catalog folder ${kind} cannot be read.`, cause: error });
    }
    const files = names.filter((name) => name.endsWith('.yaml')).sort();
    return await Promise.all(files.map((name) => this.yaml(`${kind}/${name}`)));
  }
}

type FileSchema<Entry> = Parameters<typeof readEntry<Entry>>[0];
