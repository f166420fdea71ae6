import { expect } from 'vitest';
import { sha256 } from '#kernel/hash.js';
import type { BlobMark, Blobs } from '#ports/blobs.js';
import { verifies } from '../verifies.js';

const bytesOf = (text: string) => Buffer.from(text);
const markOf = (bytes: Uint8Array): BlobMark => ({ sha256: sha256(bytes), size: bytes.length });

/** Contract of every store of bytes: returns them by their hash, or by the row that names them. */
export function blobsContract(name: string, open: () => Promise<Blobs>): void {
  verifies('fleet.blobs', `${name}: what was put is there as long as its folder is, and no longer`, async () => {
    const blobs = await open();
    const texts = ['', 'one\n', 'ünï', 'x'.repeat(65_536), 'two\n', 'three\n', 'four\n', 'one\n'];
    const put = [];
    for (const text of texts) put.push(await blobs.put('shop/agent-1', bytesOf(text)));
    const other = await blobs.put('shop/agent-10', bytesOf('one\n'));
    for (const [at, one] of [...put, other].entries()) {
      const bytes = bytesOf([...texts, 'one\n'][at] ?? '');
      if ('bytes' in one) expect(Buffer.from(one.bytes)).toEqual(bytes);
      else {
        expect(one.mark).toEqual(markOf(bytes));
        const folder = at === texts.length ? 'shop/agent-10' : 'shop/agent-1';
        expect(Buffer.from(await blobs.get(folder, one.mark))).toEqual(bytes);
      }
    }
    if (!('mark' in other)) return;
    await blobs.removeFolder('shop/agent-1');
    await blobs.removeFolder('shop/agent-1');
    await expect(blobs.get('shop/agent-1', markOf(bytesOf('two\n')))).rejects.toMatchObject({ code: 'blob_missing' });
    expect(Buffer.from(await blobs.get('shop/agent-10', other.mark))).toEqual(bytesOf('one\n'));
  });

  verifies('fleet.blobs', `${name}: what was never put is an error with a name`, async () => {
    const blobs = await open();
    const refused = expect.stringMatching(/^blob_missing$|^blobs_not_chosen$/);
    await expect(blobs.get('shop/agent-1', markOf(bytesOf('no')))).rejects.toMatchObject({ code: refused });
  });
}
