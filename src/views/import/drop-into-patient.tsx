import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportsActor } from '../../machines/imports/imports.machine.ts';
import { FileInput, type FileInputHandle } from '../parts/file-input.tsx';
import { toast } from '../parts/toast.ts';
import { useReading } from '../reading.tsx';
import classes from './import.module.css';
import { useFileDrop } from './use-file-drop.ts';
import { useOpenImports } from './use-open-imports.ts';
import { useStartImport } from './use-start-import.ts';

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
  const start = useStartImport(onStarted);
  useOpenImports(actor, patientId, onStarted);
  const dialog = useRef<FileInputHandle>(null);
  const patient = useQuery(useReading().patient(patientId)).data?.mainInfo ?? null;
  // Without a name on the overlay nothing is taken: nobody could see where it goes.
  const take = (files: readonly File[]) => {
    if (patient) start(patientId, files);
    else toast({ tone: 'bad', text: t('tooEarly'), close: t('close') });
  };
  const above = useFileDrop(take);
  return (
    <>
      {children(() => dialog.current?.chooseFiles())}
      <FileInput ref={dialog} onFiles={take} />
      {above && patient && (
        <div className={classes.overlay} role="status">
          <div>
            {t('dropInto')}
            <strong>
              {patient.firstName} {patient.lastName}
            </strong>
            <p>{patient.personalNumber}</p>
            <p>{t('dropHint')}</p>
          </div>
        </div>
      )}
    </>
  );
};
