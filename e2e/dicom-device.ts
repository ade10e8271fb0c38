import { commandFields } from '../server/dimse/message/message.ts';
import { type Listener, listenForAssociations } from '../server/dimse/provider/listen.ts';
import { echoService } from '../server/dimse/provider/services.ts';
import { storeService } from '../server/dimse/provider/store-service.ts';
import { acceptedSyntaxes } from '../server/dimse/provider/supported-syntaxes.ts';

/** A DICOM device that stores every image: their SOP Instance UIDs. */
export interface DicomDevice extends Pick<Listener, 'close'> {
  readonly stored: ReadonlySet<string>;
}

/** Starts a DICOM device on a port of this machine. */
export const startDicomDevice = async (port: number): Promise<DicomDevice> => {
  const stored = new Set<string>();
  const store = storeService(
    async ({ sopInstanceUid }) => ({
      write: async () => undefined,
      commit: async () => void stored.add(sopInstanceUid),
      discard: async () => undefined,
    }),
    () => undefined,
  );
  const { close } = await listenForAssociations({
    host: '127.0.0.1',
    port,
    maxAssociations: 16,
    admit: async () => ({
      syntaxesOf: acceptedSyntaxes({ canRetrieve: false, canStore: true, seesWorklist: false }),
      services: { [commandFields.echoRequest]: echoService, [commandFields.storeRequest]: store },
    }),
    onEnd: () => undefined,
    onError: () => undefined,
  });
  return { stored, close };
};
