import { isBinaryFile } from 'isbinaryfile';
import type { TrackedFileReader } from '#adapters/inspectors/tracked-files.js';
import { type Finding, finding } from '#core/review/finding.js';
import { isGeneratedPath, isSample } from '#core/review/samples.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { compareText } from '#kernel/order.js';
import { inert } from '#kernel/text.js';
import type { InspectionResult } from '#ports/inspector.js';

const HEAD_BYTES = 8 * 1024;
const MEBIBYTE = 1024 * 1024;
/**
 * Build artifacts, which belong in releases and not in the history. Archives and jars are left out: they are often
 * data, or third-party builds.
 */
const BUILT = /\.(exe|dll|so|dylib|o|a|class|pyc|whl|dmg|iso|msi|deb|rpm|node)$/i;

/** Reports tracked files that are large or binary. Reads only the first bytes of each. */
export async function big(reader: TrackedFileReader, files: readonly string[]): Promise<InspectionResult> {
  const large: { file: string; bytes: number; binary: boolean }[] = [];
  const findings: Finding[] = [];
  let binaries = 0;
  let bytes = 0;
  for (const file of files) {
    if (reader.isSpent()) break;
    const opened = await reader.open(file, HEAD_BYTES);
    if (!opened) continue;
    reader.count();
    bytes += opened.size;
    const binary = opened.head.length > 0 && (await isBinaryFile(opened.head, opened.head.length));
    if (binary) binaries++;
    if (isGeneratedPath(file)) continue;
    if (opened.size >= SURFACE_LIMITS.bigFileBytes) large.push({ file, bytes: opened.size, binary });
    else if (binary && BUILT.test(file) && !isSample(file) && findings.length < SURFACE_LIMITS.inspectFindings)
      findings.push(built(file, opened.size));
  }
  large.sort((left, right) => right.bytes - left.bytes || compareText(left.file, right.file));
  for (const row of large.slice(0, SURFACE_LIMITS.inspectFindings - findings.length))
    findings.push(largeFile(row.file, row.bytes, row.binary));
  const top = large.slice(0, 5).map((row) => `${sizeOf(row.bytes)} ${inert(row.file)}`);
  return {
    command: 'size and first bytes of every file of git ls-files',
    exit_code: 0,
    output: [`${reader.files} files, ${sizeOf(bytes)}: ${large.length} large, ${binaries} not text.`, ...top].join(
      '\n',
    ),
    findings: [...findings, ...reader.findings('big')],
    facts: { files: reader.files, bytes, binaries, large: large.slice(0, 20) },
  };
}

function largeFile(file: string, bytes: number, binary: boolean): Finding {
  return finding({
    severity: bytes >= 100 * MEBIBYTE ? 'high' : bytes >= 10 * MEBIBYTE ? 'medium' : 'low',
    title: `A ${binary ? 'binary' : 'text'} file of ${sizeOf(bytes)} is tracked`,
    detail: 'Every clone contains it, in every version, forever.',
    file,
    rule: 'large-file',
    remedy: 'Keep it outside the repository (a release, an object store, Git LFS) and fetch it when needed.',
  });
}

function built(file: string, bytes: number): Finding {
  return finding({
    severity: 'low',
    title: 'A build output is tracked',
    detail: `${sizeOf(bytes)} that a build regenerates and no one can review.`,
    file,
    rule: 'built-file-tracked',
    remedy: 'Stop tracking it, ignore it, and let the build create it.',
  });
}

function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < MEBIBYTE ? `${Math.round(bytes / 1024)} KiB` : `${(bytes / MEBIBYTE).toFixed(1)} MiB`;
}
