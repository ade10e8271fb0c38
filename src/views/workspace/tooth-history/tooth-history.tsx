import { VisuallyHidden } from '@mantine/core';
import IconColumns2 from '@tabler/icons-react/dist/esm/icons/IconColumns2.mjs';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DisableableButton } from '../../ui/disableable-button.tsx';
import { ToolButton } from '../../ui/tool-button.tsx';
import { maxCompared, minCompared, type PatientLocation } from '../patient/patient-location.ts';
import { HistoryFilters, useSpanText } from './history-filters.tsx';
import { HistoryStrip } from './history-strip.tsx';
import type { HistoryView } from './history-url.ts';
import classes from './tooth-history.module.css';
import {
  countPanoramics,
  inOrder,
  kindsOf,
  ofKinds,
  placesOf,
  toCompare,
  toothHistory,
} from './tooth-history.rules.ts';
import type { ToothHistoryControl } from './use-tooth-history.ts';
import { useTypedTooth } from './use-typed-tooth.ts';

interface ToothHistoryProps {
  readonly control: ToothHistoryControl;
  readonly view: HistoryView;
  readonly location: PatientLocation;
  /** Number of studies when the patient has more than are loaded; null when all are. */
  readonly loadedStudies: number | null;
}

/** The images of a tooth over the stage, oldest at the left. */
export const ToothHistory = ({ control, view, location, loadedStudies }: ToothHistoryProps) => {
  const { t } = useTranslation(['tooth-history', 'patient']);
  const title = useSpanText()(view);
  const { images, close } = control;
  const [marks, setMarks] = useState<ReadonlySet<string>>(new Set());
  const all = useMemo(() => toothHistory(images, view), [images, view]);
  const history = ofKinds(all, view.kinds);
  const order = inOrder(history).map(({ image }) => image.uid);
  const marked = new Set(order.filter((uid) => marks.has(uid)));
  const count = history.dated.length + history.undated.length;
  const openUids = location.compare.length > 0 ? location.compare : location.imageUid ? [location.imageUid] : [];
  const openImage = images.find(({ uid }) => uid === openUids[0]);

  const [note, setNote] = useState<string | null>(null);
  const obstacle = (() => {
    if (marked.size < minCompared) return t('markTwo');
    return marked.size > maxCompared ? t('markFewer', { count: maxCompared }) : null;
  })();
  const compare = (focused: string | null) => {
    const uids = toCompare(history, marked, focused);
    setNote(uids ? null : obstacle);
    if (uids) control.compare(uids);
  };
  const section = useRef<HTMLElement>(null);
  const typeTooth = useTypedTooth((tooth) => {
    // The focused image may not show this tooth; the strip takes the focus from here.
    section.current?.focus({ preventScroll: true });
    control.show(tooth);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape') close();
    else if (/^\d$/.test(event.key) && !(event.target instanceof HTMLSelectElement)) typeTooth(event.key);
    else return;
    event.preventDefault();
  };
  return (
    <section
      ref={section}
      className={classes.history}
      aria-label={t('history')}
      data-tooth-history
      data-chrome
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        <span className={classes.dimmed}>{t('patient:images', { count })}</span>
        <HistoryFilters
          view={view}
          places={openImage ? placesOf(openImage) : []}
          kinds={kindsOf(inOrder(all))}
          panoramics={countPanoramics(images)}
          onTooth={control.show}
          onChange={control.change}
        />
        <DisableableButton
          variant="default"
          leftSection={<IconColumns2 aria-hidden="true" />}
          reason={obstacle}
          onClick={() => compare(null)}
        >
          {t('compare')} {marked.size > 0 && <span className={classes.marks}>{marked.size}</span>}
        </DisableableButton>
        <ToolButton label={t('close')} shortcut="Escape" onClick={close}>
          <IconX />
        </ToolButton>
      </div>
      {note !== null && <p className={classes.none}>{note}</p>}
      {count === 0 && <p className={classes.none}>{t('none', { name: title })}</p>}
      {loadedStudies !== null && <p className={classes.none}>{t('partial', { count: loadedStudies })}</p>}
      {order.length > 0 && (
        <HistoryStrip
          label={title}
          history={history}
          marked={marked}
          openUids={openUids}
          takesFocus={control.opener.current !== null}
          onOpen={control.open}
          onMark={(uid) => {
            setNote(null);
            setMarks(marked.symmetricDifference(new Set([uid])));
          }}
          onCompare={compare}
        />
      )}
      <VisuallyHidden role="status" aria-live="polite">
        {[`${title}: ${t('patient:images', { count })}`, marked.size > 0 && t('marked', { count: marked.size }), note]
          .filter(Boolean)
          .join('. ')}
      </VisuallyHidden>
    </section>
  );
};
