import { useSelector } from '@xstate/react';
import { useTranslation } from 'react-i18next';
import { selectIsSaveDelayed as selectLooksWait, type ViewerActor } from '../../machines/viewer/viewer.machine.ts';
import {
  selectIsSaveDelayed as selectHangingWaits,
  type ViewsetActor,
} from '../../machines/viewset/viewset.machine.ts';
import classes from './draft-offers.module.css';

interface WaitingChangesProps {
  readonly viewer: ViewerActor;
  readonly viewset: ViewsetActor;
}

/** Says that the archive does not answer, for as long as changes wait for it. */
export const WaitingChanges = ({ viewer, viewset }: WaitingChangesProps) => {
  const { t } = useTranslation('drafts');
  const looksWait = useSelector(viewer, selectLooksWait);
  const hangingWaits = useSelector(viewset, selectHangingWaits);
  return <div role="status">{(looksWait || hangingWaits) && <p className={classes.waiting}>{t('waiting')}</p>}</div>;
};
