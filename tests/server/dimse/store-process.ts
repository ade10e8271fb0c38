import { readFileSync } from 'node:fs';
import process from 'node:process';
import { fileSink } from '../../../server/dimse/provider/file-sink.ts';
import { listenForAssociations } from '../../../server/dimse/provider/listen.ts';
import { storeService } from '../../../server/dimse/provider/store-service.ts';
import { storageSyntaxes } from '../../../server/dimse/provider/supported-syntaxes.ts';
import { openDiskStore } from '../../../server/storage/disk-store.ts';

/** An archive in a process of its own, which prints its port and, for each stored object, its hash and the most memory it has used. */
const [folder = ''] = process.argv.slice(2);
/** The most memory since this program began, in bytes (proc(5)); `maxRSS` also counts the process that started it. */
const peakBytes = () => Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;
const print = (line: Readonly<Record<string, unknown>>) => process.stdout.write(`${JSON.stringify(line)}\n`);
const files = await openDiskStore(folder);
const onError = (error: unknown) => print({ error: String(error) });
const openSink = fileSink({
  files,
  maxBytes: 2 ** 31,
  record: async (_, stored) => {
    print({ ...stored, peakBytes: peakBytes() });
  },
});
const { port } = await listenForAssociations({
  host: '127.0.0.1',
  port: 0,
  maxAssociations: 16,
  admit: async () => ({ syntaxesOf: storageSyntaxes, services: { 1: storeService(openSink, onError) } }),
  onEnd: () => {},
  onError,
});
print({ port });
