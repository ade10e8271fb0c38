import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportTarget } from '../../machines/imports/choose-files.ts';
import type { ImportsActor } from '../../machines/imports/imports.machine.ts';
import { useAppContext } from '../app/app-context.tsx';
import { droppedFiles, type FilesRead, hasDraggedFiles } from '../ui/dropped-files.ts';
import { toast } from '../ui/toast.ts';
import { type Finding, gather, useFindingText } from './findings.ts';
import { importOf } from './groups.ts';
import classes from './import.module.css';
import { useOpenImports } from './use-open-imports.ts';

interface FileDrop {
  readonly onFiles: (files: FilesRead) => void;
  /** Files found so far while folders are being read; null when done. */
  readonly onCount?: (count: number | null) => void;
}

/** Handles files dropped anywhere on the page and reports whether files are dragged over it. The target is fixed at the drop. */
export const useFileDrop = (drop: FileDrop): boolean => {
  const [above, setAbove] = useState(false);
  const read = useEffectEvent((dropped: DataTransfer) => {
    const { onFiles, onCount } = drop;
    droppedFiles(dropped, onCount)
      .then(onFiles)
      .finally(() => onCount?.(null));
  });
  useEffect(() => {
    let depth = 0;
    const settle = (next: number) => {
      depth = Math.max(0, next);
      setAbove(depth > 0);
    };
    const enter = (event: DragEvent) => {
      if (!hasDraggedFiles(event.dataTransfer)) return;
      event.preventDefault();
      settle(depth + 1);
    };
    const over = (event: DragEvent) => {
      if (!hasDraggedFiles(event.dataTransfer)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    };
    const leave = (event: DragEvent) => {
      if (hasDraggedFiles(event.dataTransfer)) settle(depth - 1);
    };
    const take = (event: DragEvent) => {
      if (!event.dataTransfer || !hasDraggedFiles(event.dataTransfer)) return;
      event.preventDefault();
      settle(0);
      read(event.dataTransfer);
    };
    const page = document.documentElement;
    page.addEventListener('dragenter', enter);
    page.addEventListener('dragover', over);
    page.addEventListener('dragleave', leave);
    page.addEventListener('drop', take);
    return () => {
      page.removeEventListener('dragenter', enter);
      page.removeEventListener('dragover', over);
      page.removeEventListener('dragleave', leave);
      page.removeEventListener('drop', take);
    };
  }, []);
  return above;
};

interface GatherOptions {
  readonly target: ImportTarget;
  readonly onStarted: () => void;
  /** Receives findings; without it they are shown as toasts. */
  readonly onFindings?: (findings: readonly Finding[]) => void;
}

/** Starts imports from dropped or chosen files and reports findings. */
export const useGather = ({ target, onStarted, onFindings }: GatherOptions) => {
  const { t } = useTranslation('import');
  const { importFiles } = useAppContext();
  const findingText = useFindingText();
  const report =
    onFindings ??
    ((findings: readonly Finding[]) => {
      for (const finding of findings) toast({ tone: 'bad', text: findingText(finding).join('. '), close: t('close') });
    });
  return (read: FilesRead, asDirectory = false) => {
    const { groups, findings } = gather(read, asDirectory);
    report(findings);
    if (groups.length === 0) return;
    importFiles(target, groups.map(importOf));
    onStarted();
  };
};

/** Shows the import target while files are dragged over the page. */
export const DropOverlay = ({ name, detail }: { name: string; detail?: string }) => {
  const { t } = useTranslation('import');
  return (
    <div className={classes.overlay} role="status">
      <div>
        {t('dropInto')}
        <strong>{name}</strong>
        {detail && <p>{detail}</p>}
        <p>{t('dropHint')}</p>
      </div>
    </div>
  );
};

/** Shown while folders are being read. */
export const FoldersOpening = ({ count }: { count: number }) => {
  const { t } = useTranslation('import');
  return (
    <p className={classes.opening} role="status">
      {t('readingFolders', { count })}
    </p>
  );
};

interface DropAnywhereProps {
  readonly actor: ImportsActor;
  readonly clinic: { readonly id: string; readonly name: string };
  /** The page handles dropped files itself. */
  readonly disabled: boolean;
  readonly onStarted: () => void;
}

const Catcher = ({ clinic, onStarted }: Pick<DropAnywhereProps, 'clinic' | 'onStarted'>) => {
  const [count, setCount] = useState<number | null>(null);
  const take = useGather({ target: { patientId: null, customerId: clinic.id }, onStarted });
  const above = useFileDrop({ onFiles: take, onCount: setCount });
  return (
    <>
      {count !== null && <FoldersOpening count={count} />}
      {above && <DropOverlay name={clinic.name} />}
    </>
  );
};

const ignored = () => {};

/** Imports files dropped outside patient pages into the clinic, and shows open imports of other sessions. */
export const DropAnywhere = ({ actor, clinic, disabled, onStarted }: DropAnywhereProps) => {
  useOpenImports(actor, { customerId: clinic.id }, ignored);
  return disabled ? null : <Catcher clinic={clinic} onStarted={onStarted} />;
};
