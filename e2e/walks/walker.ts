import type { Page } from '@playwright/test';
import type { EventFromLogic, StateValueFrom } from 'xstate';
import type { JourneyName, journeys } from '../../tests/models/index.ts';

type Journey<Name extends JourneyName> = (typeof journeys)[Name];

/** A journey in the browser: every event has hands, every state has eyes, or it does not compile. */
export interface Walker<Name extends JourneyName> {
  /** To the first state, from a page that has not been opened. */
  readonly begin: () => Promise<void>;
  /** What each event means to the hands. */
  readonly hands: Readonly<Record<EventFromLogic<Journey<Name>>['type'], () => Promise<unknown>>>;
  /** What each state means to the eyes. */
  readonly eyes: Readonly<Record<StateValueFrom<Journey<Name>>, () => Promise<unknown>>>;
}

/** The walker of a journey on a page of its own. */
export type WalkerOn<Name extends JourneyName> = (page: Page) => Walker<Name>;
