// @ts-check
// What programs call of the verifier: texts of files in, reports out.
import { isCampaign, verifyCampaign } from './campaign.mjs';
import { verify } from './verify.mjs';

export { isCampaign, verify, verifyCampaign };
export { faces } from './dice.mjs';
