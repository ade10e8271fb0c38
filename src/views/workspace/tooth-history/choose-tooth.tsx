import { Popover, UnstyledButton } from '@mantine/core';
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chartRows, deciduousTeeth, permanentRows } from '../../../../contract/teeth.ts';
import { ToothGrid } from '../../edit/tooth-grid.tsx';
import { ToothMap } from '../patient/tooth-map.tsx';
import classes from './choose-tooth.module.css';
import { imagesPerTooth } from './tooth-history.rules.ts';
import type { ToothHistoryControl } from './use-tooth-history.ts';

interface ChooseToothProps {
  readonly control: ToothHistoryControl;
  /** Number of studies when the patient has more than are loaded; null when all are. */
  readonly loadedStudies: number | null;
}

/** A small chart of the teeth that have images; it opens a large one to choose a tooth from. */
export const ChooseTooth = ({ control, loadedStudies }: ChooseToothProps) => {
  const { t } = useTranslation('tooth-history');
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { images, view, show } = control;
  const counts = useMemo(() => imagesPerTooth(images), [images]);
  const hasDeciduous = deciduousTeeth.some((tooth) => counts.has(tooth));
  const textOf = (tooth: number, name: string) => {
    const count = counts.get(tooth) ?? 0;
    return count === 0 ? t('toothNone', { name }) : t('toothImages', { name, count });
  };
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-start" width={600} withinPortal trapFocus shadow="md">
      <Popover.Target>
        <UnstyledButton
          ref={button}
          className={classes.button}
          aria-label={t('history')}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <span className={classes.name}>
            {t('history')}
            <IconChevronDown aria-hidden="true" />
          </span>
          <ToothMap teeth={[...counts.keys()]} />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown} aria-label={t('history')}>
        <ToothGrid
          label={t('chooseTooth')}
          rows={hasDeciduous ? chartRows : permanentRows}
          first={view?.tooth ?? 11}
          nameOf={textOf}
          isPressed={(tooth) => tooth === view?.tooth}
          isDimmed={(tooth) => !counts.has(tooth)}
          onPress={(tooth) => {
            setOpen(false);
            show(tooth, button.current);
          }}
        />
        <p className={classes.hint}>
          {t('dimmed')}
          {loadedStudies !== null && ` ${t('partial', { count: loadedStudies })}`}
        </p>
      </Popover.Dropdown>
    </Popover>
  );
};
