import { CodedError, type IndexSpec } from '@postmaster/contracts';
import { requireDimension } from '../require-dimension.js';
import { isMissing, RefusedCall } from './call-failure.js';
import { collectionSchema, PAYLOAD_INDEXES } from './collection-schema.js';
import type { QdrantCall } from './qdrant-calls.js';
import type { QdrantSettings } from './qdrant-settings.js';

export interface CollectionShape {
  /** Of its vectors. */
  dimension: number;
  /** The TERMS_VERSION that it was made with: 1, of before it was noted, has texts that are there by their words alone. */
  terms: number;
}

/**
 * The collections behind indexes. An index is an alias, `<prefix>-<index>`, of the collection that answers for it now,
 * `<prefix>-<index>.<number>`: so a new one can be filled and swapped in while the old one answers. Any number of
 * processes may make the same index at once.
 */
export class Collections {
  private readonly shapes = new Map<string, Promise<CollectionShape | undefined>>();
  private readonly made = new Map<string, Promise<void>>();
  private checked?: Promise<void>;

  constructor(
    private readonly call: QdrantCall,
    private readonly settings: QdrantSettings,
    private readonly prefix: string,
  ) {}

  /** What an index is called in the store. */
  alias(index: string): string {
    return `${this.prefix}-${index}`;
  }

  /** What an index holds; undefined where there is no such index. Asked once while there is one. */
  shape(index: string): Promise<CollectionShape | undefined> {
    return once(
      this.shapes,
      index,
      () => this.readShape(index),
      (found) => found !== undefined,
    );
  }

  /** Makes an index where there is none. Throws DIMENSION_MISMATCH where there is one of another dimension. */
  async ensure(index: IndexSpec): Promise<void> {
    await once(this.made, index.name, async () => {
      await this.requireServer();
      if (!(await this.shape(index.name))) await this.make(index);
    });
    requireDimension(index.name, (await this.shape(index.name))?.dimension ?? index.dimension, index.dimension);
  }

  /** Does `act`; `missing` where there is no such index, also where it went since it was last seen. */
  async where<T>(index: string, act: (alias: string) => Promise<T>, missing: () => Promise<T> | T): Promise<T> {
    try {
      return await act(this.alias(index));
    } catch (error) {
      if (!isMissing(error)) throw error;
      this.forget(index);
      return missing();
    }
  }

  /** Does `act` on an index, which is made first where there is none. */
  async within<T>(index: IndexSpec, act: (alias: string) => Promise<T>): Promise<T> {
    await this.ensure(index);
    return this.where(index.name, act, async () => {
      await this.ensure(index);
      return act(this.alias(index.name));
    });
  }

  /** Makes the indexes that filters use, where one is missing. */
  async indexPayload(collection: string): Promise<void> {
    for (const [field_name, field_schema] of Object.entries(PAYLOAD_INDEXES))
      await this.call((client) => client.createPayloadIndex(collection, { field_name, field_schema, wait: true }));
  }

  /**
   * Lets the collection of the index `by` answer for `index` from one moment to the next, and drops the one that did;
   * `by` is no index any more. Throws NOT_FOUND where there is no `by`. What is put to `index` meanwhile has to be put to
   * `by` as well.
   */
  async swap(index: string, by: string): Promise<void> {
    const [alias, other] = [this.alias(index), this.alias(by)];
    const { aliases } = await this.call((client) => client.getAliases());
    const collectionOf = (name: string) => aliases.find(({ alias_name }) => alias_name === name)?.collection_name;
    const [old, collection] = [collectionOf(alias), collectionOf(other)];
    if (collection === undefined) throw new CodedError('NOT_FOUND', `There is no index "${by}".`);
    await this.call((client) =>
      client.updateCollectionAliases({
        actions: [
          ...(old === undefined ? [] : [{ delete_alias: { alias_name: alias } }]),
          { delete_alias: { alias_name: other } },
          { create_alias: { alias_name: alias, collection_name: collection } },
        ],
      }),
    );
    this.forget(index);
    this.forget(by);
    if (old !== undefined) await this.call((client) => client.deleteCollection(old));
  }

  /** Drops what answers for an index; nothing where there is none. */
  async drop(index: string): Promise<void> {
    const alias = this.alias(index);
    const { aliases } = await this.call((client) => client.getAliases());
    const collection = aliases.find(({ alias_name }) => alias_name === alias)?.collection_name;
    this.forget(index);
    if (collection !== undefined) await this.call((client) => client.deleteCollection(collection)); // its alias goes with it
  }

  private forget(index: string): void {
    this.shapes.delete(index);
    this.made.delete(index);
  }

  private async make(index: IndexSpec): Promise<void> {
    const alias = this.alias(index.name);
    for (let number = 1; ; number++) {
      const collection = `${alias}.${number}`;
      await this.create(collection, index);
      const { aliases } = await this.call((client) => client.getCollectionAliases(collection));
      if (aliases.some(({ alias_name }) => alias_name !== alias)) continue; // it was swapped into another index
      await this.indexPayload(collection);
      if (await this.readShape(index.name)) return; // another process was quicker
      const actions = [{ create_alias: { alias_name: alias, collection_name: collection } }];
      await this.call((client) => client.updateCollectionAliases({ actions }));
      return;
    }
  }

  private async create(collection: string, index: IndexSpec): Promise<void> {
    try {
      const schema = collectionSchema(index, this.settings);
      // the client's own createCollection leaves the metadata out
      await this.call((client) => client.api().createCollection({ collection_name: collection, ...schema }));
    } catch (error) {
      const exists = () => this.call((client) => client.collectionExists(collection));
      if (!(error instanceof RefusedCall) || !(await exists()).exists) throw error;
    }
  }

  private async readShape(index: string): Promise<CollectionShape | undefined> {
    try {
      const { config } = await this.call((client) => client.getCollection(this.alias(index)));
      const size = (config.params.vectors as { paragraph?: { size?: number } } | undefined)?.paragraph?.size; // as made
      if (size === undefined) throw new Error(`The collection "${this.alias(index)}" was not made by Postmaster.`);
      return { dimension: size, terms: Number(config.metadata?.lexical_terms ?? 1) };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** A server too old for conditional writes would read past the conditions, and lose what others wrote. */
  /** Throws STORE_REFUSED where the server is too old. */
  requireServer(): Promise<void> {
    this.checked ??= this.call((client) => client.versionInfo()).then(({ version }) => {
      const [major = 0, minor = 0] = version.split('.').map(Number);
      if (major < 1 || (major === 1 && minor < 18))
        throw new CodedError('STORE_REFUSED', `Qdrant 1.18 or newer is needed, but ${version} answers.`, {
          next: 'Bring Qdrant up to date, a minor version at a time.',
        });
    });
    this.checked.catch(() => (this.checked = undefined));
    return this.checked;
  }
}

/** What `make` gave, kept unless it failed or is not worth keeping; who asks meanwhile shares it. */
const once = <T>(
  kept: Map<string, Promise<T>>,
  name: string,
  make: () => Promise<T>,
  worthKeeping: (made: T) => boolean = () => true,
): Promise<T> => {
  const before = kept.get(name);
  if (before) return before;
  const making = make();
  kept.set(name, making);
  const drop = (): void => {
    if (kept.get(name) === making) kept.delete(name);
  };
  making.then((value) => worthKeeping(value) || drop(), drop);
  return making;
};
