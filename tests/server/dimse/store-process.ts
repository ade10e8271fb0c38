import { readFileSync } from 'node:fs';
import process from 'node:process';
import { commandFields } from '../../../server/dimse/message/message.ts';
import {
  commitmentReportService,
  commitmentRequestService,
} from '../../../server/dimse/provider/commitment-services.ts';
import { fileSink } from '../../../server/dimse/provider/file-sink.ts';
import { findService } from '../../../server/dimse/provider/find-service.ts';
import { listenForAssociations } from '../../../server/dimse/provider/listen.ts';
import { echoService } from '../../../server/dimse/provider/services.ts';
import { createStepService, setStepService } from '../../../server/dimse/provider/step-services.ts';
import { storeService } from '../../../server/dimse/provider/store-service.ts';
import { acceptedSyntaxes } from '../../../server/dimse/provider/supported-syntaxes.ts';
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
const nothing = async () => ({ ignoresKeys: false, identifiers: (async function* (): AsyncGenerator<Buffer> {})() });
const steps = { create: async () => undefined, set: async () => undefined };
const { port } = await listenForAssociations({
  host: '127.0.0.1',
  port: 0,
  maxAssociations: 16,
  admit: async () => ({
    syntaxesOf: acceptedSyntaxes({ canRetrieve: false, canStore: true, seesWorklist: true, asksCommitment: true }),
    services: {
      [commandFields.echoRequest]: echoService,
      [commandFields.storeRequest]: storeService(openSink, onError),
      [commandFields.findRequest]: findService(nothing, onError),
      [commandFields.createRequest]: createStepService(steps, onError),
      [commandFields.setRequest]: setStepService(steps, onError),
      [commandFields.actionRequest]: commitmentRequestService(
        async () => '',
        async () => undefined,
        onError,
      ),
      [commandFields.eventReportRequest]: commitmentReportService(async () => undefined, onError),
    },
  }),
  onEnd: () => {},
  onError,
});
print({ port });
