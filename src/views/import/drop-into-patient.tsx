import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportsActor } from '../../machines/imports/imports.machine.ts';
import { useAppQueries } from '../app/queries-context.tsx';
import type { FilesRead } from '../ui/dropped-files.ts';
import { FileInput, type FileInputHandle } from '../ui/file-input.tsx';
import { toast } from '../ui/toast.ts';
import { DropOverlay, FoldersOpening, useFileDrop, useGather } from './file-drop.tsx';
import { useOpenImports } from './use-open-imports.ts';

interface DropIntoPatientProps {
  readonly patientId: string;
  readonly actor: ImportsActor;
  readonly onStarted: () => void;
  /** The page content; receives a function that opens the file dialog. */
  readonly children: (chooseFiles: () => void) => ReactNode;
}

/** Imports files dropped on a patient page for this patient; the overlay shows the name while dragging. */
export const DropIntoPatient = ({ patientId, actor, onStarted, children }: DropIntoPatientProps) => {
  const { t } = useTranslation(['import', 'search']);
  const [count, setCount] = useState<number | null>(null);
  useOpenImports(actor, { patientId }, onStarted);
  const dialog = useRef<FileInputHandle>(null);
  const known = useQuery(useAppQueries().patient(patientId)).data ?? null;
  const patient = known?.mainInfo ?? null;
  const start = useGather({ target: { patientId, customerId: known?.customerId ?? '' }, onStarted });
  // Drops are disabled until the patient's name is known, because the overlay must show the target.
  const take = (files: FilesRead) => {
    if (patient) start(files);
    else toast({ tone: 'bad', text: t('tooEarly'), close: t('close') });
  };
  const above = useFileDrop({ onFiles: take, onCount: setCount });
  return (
    <>
      {children(() => dialog.current?.chooseFiles())}
      <FileInput ref={dialog} onFiles={take} />
      {count !== null && <FoldersOpening count={count} />}
      {above && patient && (
        <DropOverlay
          name={`${patient.firstName} ${patient.lastName}`}
          detail={[patient.personalNumber, patient.protectedIdentity && t('search:protectedIdentity')]
            .filter(Boolean)
            .join(' · ')}
        />
      )}
    </>
  );
};
