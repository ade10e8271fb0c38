import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportsActor } from '../../machines/imports/imports.machine.ts';
import type { FilesRead } from '../parts/dropped-files.ts';
import { FileInput, type FileInputHandle } from '../parts/file-input.tsx';
import { toast } from '../parts/toast.ts';
import { useReading } from '../reading.tsx';
import { DropOverlay, FoldersOpening } from './drop-overlay.tsx';
import { useFileDrop } from './use-file-drop.ts';
import { useGather } from './use-gather.ts';
import { useOpenImports } from './use-open-imports.ts';

interface DropIntoPatientProps {
  readonly patientId: string;
  readonly actor: ImportsActor;
  readonly onStarted: () => void;
  /** The page; it may open the file dialog. */
  readonly children: (chooseFiles: () => void) => ReactNode;
}

/** Files dropped anywhere on the page of a patient go to this patient; the name is shown before they are let go. */
export const DropIntoPatient = ({ patientId, actor, onStarted, children }: DropIntoPatientProps) => {
  const { t } = useTranslation('import');
  const [count, setCount] = useState<number | null>(null);
  useOpenImports(actor, { patientId }, onStarted);
  const dialog = useRef<FileInputHandle>(null);
  const known = useQuery(useReading().patient(patientId)).data ?? null;
  const patient = known?.mainInfo ?? null;
  const start = useGather({ tray: actor, target: { patientId, customerId: known?.customerId ?? '' }, onStarted });
  // Without a name on the overlay nothing is taken: nobody could see where it goes.
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
        <DropOverlay name={`${patient.firstName} ${patient.lastName}`} detail={patient.personalNumber} />
      )}
    </>
  );
};
