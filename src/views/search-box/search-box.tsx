import { useSelector } from '@xstate/react';
import {
  type PatientSearchActor,
  selectHits,
  selectIsTotalExact,
  selectNeedsLongerWord,
  selectSearchFailure,
  selectSearchState,
  selectSimilar,
  selectText,
  selectTotalCount,
} from '../../machines/patient-search/patient-search.machine.ts';
import { useFailureText } from '../language/failure-text.ts';
import { SearchField } from './search-field.tsx';

/** Patient search in the header for the current clinic. */
export const SearchBox = ({ actor }: { actor: PatientSearchActor }) => {
  const failureText = useFailureText();
  const failure = useSelector(actor, selectSearchFailure);
  return (
    <SearchField
      text={useSelector(actor, selectText)}
      phase={useSelector(actor, selectSearchState)}
      hits={useSelector(actor, selectHits)}
      similar={useSelector(actor, selectSimilar)}
      totalCount={useSelector(actor, selectTotalCount)}
      isTotalExact={useSelector(actor, selectIsTotalExact)}
      needsLongerWord={useSelector(actor, selectNeedsLongerWord)}
      failure={failure && failureText(failure)}
      onText={(text) => actor.send({ type: 'text.changed', text })}
      onRetry={() => actor.send({ type: 'search.retried' })}
      onClear={() => actor.send({ type: 'search.cleared' })}
      onPick={(patient) => actor.send({ type: 'hit.picked', patientId: patient.id })}
      onShowAll={() => actor.send({ type: 'all-hits.requested' })}
    />
  );
};
