import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ToolButton } from '../parts/tool-button.tsx';
import { useStripUnderFingers } from '../parts/use-pick-up.ts';
import classes from './tray.module.css';
import { TrayImage } from './tray-image.tsx';
import type { Desk } from './use-desk.ts';

interface TrayProps {
  readonly desk: Desk;
  readonly onOpen: (imageUid: string) => void;
}

/** The images of the viewset that hang in no slot, as a numbered film strip. What is let go over it is unmounted. */
export const Tray = ({ desk, onOpen }: TrayProps) => {
  const { t } = useTranslation('viewset');
  const { viewset, trayImage, trayOpen: open, setTrayOpen, zone, carry, cut } = desk;
  const [strip, setStrip] = useState<HTMLElement | null>(null);
  const images = useRef(new Map<string, HTMLElement>());
  const tray = viewset.detachedImages;
  useStripUnderFingers(strip, tray.length);
  const reachable = tray.some(({ uid }) => uid === trayImage) ? trayImage : (tray[0]?.uid ?? null);

  useEffect(() => {
    if (!trayImage || !strip) return;
    const element = images.current.get(trayImage);
    element?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
    // An image that was mounted took the focus with it: the next one has it.
    const active = document.activeElement;
    const isHere = strip.contains(active) || (active === document.body && zone.current === 'tray');
    if (isHere) element?.focus({ preventScroll: true });
  }, [trayImage, strip, zone]);

  const takes = carry.carried !== null && carry.carried.from !== null;
  return (
    <section
      className={classes.tray}
      aria-label={t('tray')}
      data-drop-tray
      data-chrome
      data-open={open}
      data-takes={takes || undefined}
      data-target={carry.target?.kind === 'tray' || undefined}
    >
      <div className={classes.bar}>
        <h2 className={classes.title}>{t('tray')}</h2>
        <span className={classes.count}>{t('trayCount', { count: tray.length })}</span>
        {takes && <span className={classes.hint}>{t('trayTakes')}</span>}
        <ToolButton label={open ? t('hideTray') : t('showTray')} onClick={() => setTrayOpen(!open)}>
          {open ? <IconChevronDown /> : <IconChevronUp />}
        </ToolButton>
      </div>
      {open && tray.length === 0 && <p className={classes.empty}>{t('trayEmptyText')}</p>}
      {open && tray.length > 0 && (
        <div
          ref={setStrip}
          className={classes.strip}
          role="listbox"
          aria-label={t('trayImages')}
          aria-orientation="horizontal"
          data-strip
          data-tray
          onFocus={() => {
            zone.current = 'tray';
          }}
        >
          {tray.map((image, index) => (
            <TrayImage
              key={image.uid}
              image={image}
              place={index + 1}
              selected={image.uid === trayImage}
              reachable={image.uid === reachable}
              cut={cut?.image.uid === image.uid}
              element={(next) => {
                if (next) images.current.set(image.uid, next);
                else images.current.delete(image.uid);
              }}
              onChoose={() => desk.chooseTray(image.uid)}
              onOpen={() => onOpen(image.uid)}
              onPickUp={(pointer) => carry.start({ image, from: null }, pointer)}
            />
          ))}
        </div>
      )}
    </section>
  );
};
