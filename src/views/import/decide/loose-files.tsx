import { Button } from '@mantine/core';
import { memo, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportFile } from '../../../../contract/imports.ts';
import { usePickUp, useStripUnderFingers } from '../../parts/use-pick-up.ts';
import { FileThumbnail } from './file-thumbnail.tsx';
import classes from './mount.module.css';
import { useFileWords } from './use-file-words.ts';
import type { Hand } from './use-hand.ts';

/** Files shown before somebody asks for all. */
const mostFirst = 40;

interface LooseFileProps {
  readonly file: ImportFile;
  readonly held: boolean;
  readonly reachable: boolean;
  /** What the hand can do now; the box stays the same, so that a step of a drag does not draw hundreds of files anew. */
  readonly hand: RefObject<Hand>;
  readonly onReached: (fileId: string) => void;
}

const LooseFile = memo(({ file, held, reachable, hand, onReached }: LooseFileProps) => {
  const words = useFileWords();
  const name = words.fileName(file);
  const pickUp = usePickUp((pointer) => hand.current.startCarry({ fileId: file.id, from: null }, pointer));
  const teeth = words.toothText(file.teeth);
  return (
    <div
      role="option"
      aria-label={name}
      aria-selected={held}
      tabIndex={reachable ? 0 : -1}
      title={name}
      className={classes.file}
      data-file={file.id}
      data-held={held || undefined}
      onFocus={() => onReached(file.id)}
      onClick={() => hand.current.pressFile(file.id)}
      onKeyDown={(event) => hand.current.onFileKey(event, file.id)}
      onPointerDown={pickUp.onPointerDown}
    >
      <FileThumbnail file={file} />
      {teeth && <span className={classes.teeth}>{teeth}</span>}
    </div>
  );
});

/** Files that go into no slot: a strip from which they are dragged, and to which they are dragged back. They are imported all the same. */
export const LooseFiles = ({ files, hand }: { files: readonly ImportFile[]; hand: Hand }) => {
  const { t } = useTranslation('import-decide');
  const [strip, setStrip] = useState<HTMLElement | null>(null);
  const [all, setAll] = useState(false);
  const [reached, setReached] = useState<string | null>(null);
  const latest = useRef(hand);
  useEffect(() => {
    latest.current = hand;
  });
  const held = hand.held?.fileId ?? hand.carry.carried?.fileId;
  const shown = all ? files : files.slice(0, mostFirst);
  const reachable = shown.find(({ id }) => id === reached) ?? shown[0];
  useStripUnderFingers(strip, shown.length);
  return (
    <div
      className={classes.tray}
      data-drop-tray
      data-takes={(hand.carry.carried !== null && hand.carry.carried.from !== null) || undefined}
      data-target={hand.carry.target?.kind === 'tray' || undefined}
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
                held={file.id === held}
                reachable={file === reachable}
                hand={latest}
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
