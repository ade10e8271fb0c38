import { Button } from '@mantine/core';
import { memo, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportFile } from '../../../../contract/imports.ts';
import { useDragStart, useStripTouchScroll } from '../../ui/use-drag-start.ts';
import { FileThumbnail, useFileText } from './file-thumbnail.tsx';
import classes from './mount.module.css';
import type { FileMover } from './use-file-mover.ts';

/** Files shown before "show all". */
const mostFirst = 40;

interface LooseFileProps {
  readonly file: ImportFile;
  readonly isPicked: boolean;
  readonly reachable: boolean;
  /** A ref with stable identity, so that a drag step does not re-render hundreds of files. */
  readonly mover: RefObject<FileMover>;
  readonly onReached: (fileId: string) => void;
}

const LooseFile = memo(({ file, isPicked, reachable, mover, onReached }: LooseFileProps) => {
  const fileText = useFileText();
  const name = fileText.fileName(file);
  const pickUp = useDragStart((pointer) => mover.current.startDrag({ fileId: file.id, from: null }, pointer));
  const teeth = fileText.toothText(file.teeth);
  return (
    <div
      role="option"
      aria-label={name}
      aria-selected={isPicked}
      tabIndex={reachable ? 0 : -1}
      title={name}
      className={classes.file}
      data-file={file.id}
      data-held={isPicked || undefined}
      onFocus={() => onReached(file.id)}
      onClick={() => mover.current.pressFile(file.id)}
      onKeyDown={(event) => mover.current.onFileKey(event, file.id)}
      onPointerDown={pickUp.onPointerDown}
    >
      <FileThumbnail file={file} />
      {teeth && <span className={classes.teeth}>{teeth}</span>}
    </div>
  );
});

/** Tray of files without a slot, a source and target of drag and drop. They are imported too. */
export const LooseFiles = ({ files, mover }: { files: readonly ImportFile[]; mover: FileMover }) => {
  const { t } = useTranslation('import-decide');
  const [strip, setStrip] = useState<HTMLElement | null>(null);
  const [all, setAll] = useState(false);
  const [reached, setReached] = useState<string | null>(null);
  const latest = useRef(mover);
  useEffect(() => {
    latest.current = mover;
  });
  const pickedId = mover.picked?.fileId ?? mover.drag.dragged?.fileId;
  const shown = all ? files : files.slice(0, mostFirst);
  const reachable = shown.find(({ id }) => id === reached) ?? shown[0];
  useStripTouchScroll(strip, shown.length);
  return (
    <div
      className={classes.tray}
      data-drop-tray
      data-takes={(mover.drag.dragged !== null && mover.drag.dragged.from !== null) || undefined}
      data-target={mover.drag.target?.kind === 'tray' || undefined}
    >
      <p className={classes.trayHead}>
        {t('loose')} <span>{files.length === 0 ? t('noneLoose') : t('looseCount', { count: files.length })}</span>
      </p>
      {files.length > 0 && (
        <div ref={setStrip} className={classes.strip} data-strip>
          <div className={classes.files} role="listbox" aria-label={t('loose')} aria-orientation="horizontal">
            {shown.map((file) => (
              <LooseFile
                key={file.id}
                file={file}
                isPicked={file.id === pickedId}
                reachable={file === reachable}
                mover={latest}
                onReached={setReached}
              />
            ))}
          </div>
          {shown.length < files.length && (
            <Button variant="subtle" onClick={() => setAll(true)}>
              {t('showAll', { count: files.length })}
            </Button>
          )}
        </div>
      )}
    </div>
  );
};
