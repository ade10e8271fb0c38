import type { Page } from '@playwright/test';
import type { EventFromLogic, StateValueFrom } from 'xstate';
import type { JourneyName, journeys } from '../../tests/models/index.ts';

type Journey<Name extends JourneyName> = (typeof journeys)[Name];

/** Drives a journey in the browser; the types require an action for every event and an assertion for every state. */
export interface Walker<Name extends JourneyName> {
  /** Opens the first state on a new page. */
  readonly begin: () => Promise<void>;
  /** Performs each event. */
  readonly actions: Readonly<Record<EventFromLogic<Journey<Name>>['type'], () => Promise<unknown>>>;
  /** Checks each state. */
  readonly assertions: Readonly<Record<StateValueFrom<Journey<Name>>, () => Promise<unknown>>>;
}

/** Creates the walker of a journey on a page. */
export type WalkerOn<Name extends JourneyName> = (page: Page) => Walker<Name>;
