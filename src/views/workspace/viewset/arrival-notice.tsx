import { CloseButton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notTakenParts } from '../../../../contract/display-objects.ts';
import type { Viewset } from '../../../../contract/viewsets.ts';
import { useImageTransfer } from '../image-transfer.tsx';
import classes from './cut-notice.module.css';
import { itemOf } from './mount-actions.ts';

/** Says which images of a mount that arrived as a DICOM object are missing, and what of it is not shown. */
export const ArrivalNotice = ({ viewset }: { viewset: Viewset }) => {
  const { t, i18n } = useTranslation(['viewset', 'shell']);
  const { cut } = useImageTransfer();
  const [isClosed, setIsClosed] = useState(false);
  const { missing, notTaken } = viewset.arrival ?? { missing: [], notTaken: [] };
  const parts = notTakenParts.filter((part) => notTaken.includes(part));
  if (isClosed || cut !== null || missing.length + parts.length === 0) return null;
  const list = new Intl.ListFormat(i18n.language);
  const slots = missing.flatMap(({ itemIndex }) => itemOf(viewset, itemIndex)?.order ?? []);
  const numbers = slots.toSorted((one, other) => one - other).map(String);
  return (
    <div className={classes.notice} role="status" data-on-black data-chrome>
      <span className={classes.text}>
        {t('arrival')}
        {missing.length > 0 && ` ${t('arrivalMissing', { count: missing.length, slots: list.format(numbers) })}`}
        {parts.length > 0 &&
          ` ${t('arrivalNot', { parts: list.format(parts.map((part) => t(`arrivalNot-${part}`))) })}`}
      </span>
      <CloseButton size="sm" aria-label={t('shell:close')} onClick={() => setIsClosed(true)} />
    </div>
  );
};
