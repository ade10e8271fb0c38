import { type EventObject, fromCallback, fromPromise } from 'xstate';
import type {
  BeginInput,
  ConfirmInput,
  DecideInput,
  ParseInput,
  UploadInput,
} from '../machines/import-study/import-study.events.ts';
import { importStudyMachine } from '../machines/import-study/import-study.machine.ts';
import { importsMachine } from '../machines/imports/imports.machine.ts';
import { fillPort } from '../machines/port.ts';
import type { Call } from '../services/call.ts';
import { createImportCalls } from '../services/import-calls.ts';
import type { ImportFiles } from '../services/import-files.ts';
import { createSendFiles, type SendFilesDependencies } from '../services/send-files.ts';

interface ImportServices extends SendFilesDependencies {
  readonly call: Call;
  readonly importFiles: ImportFiles;
}

const wiredImportStudy = ({ call, uploader, importFiles }: ImportServices) => {
  const calls = createImportCalls(call);
  const sendFiles = createSendFiles({ uploader, importFiles });
  return importStudyMachine.provide({
    actors: {
      beginImport: fillPort((input: BeginInput, signal) => calls.begin(input, signal)),
      withdrawImport: fillPort(({ taskId }: { taskId: string }) => calls.withdraw(taskId)),
      parseImport: fillPort((input: ParseInput, signal) => calls.parse(input, signal)),
      decideStudies: fillPort(({ taskId, decisions }: DecideInput) => calls.decide(taskId, decisions)),
      confirmImport: fillPort(({ taskId, kind }: ConfirmInput, signal) => calls.confirm(taskId, kind, signal)),
      retryImport: fillPort(({ taskId }: { taskId: string }, signal) => calls.retry(taskId, signal)),
      fetchImport: fillPort(({ taskId }: { taskId: string }, signal) => calls.get(taskId, signal)),
      uploadFiles: fromCallback<EventObject, UploadInput>(({ input, sendBack }) => sendFiles(input, sendBack)),
    },
  });
};

export const wiredImports = (services: ImportServices) =>
  importsMachine.provide({
    actors: {
      importStudy: wiredImportStudy(services),
      restoreTray: fromPromise(() => services.importFiles.restore()),
    },
  });
