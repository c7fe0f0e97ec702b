export type { ExecuteResponse, GetNextResponse, Step, Waiting, Ruling, PreviewRulingResponse, Trouble, ExplainLine, Change, Corrected } from '$gen/encounter/v1/encounter_pb';
export type { PublicMark } from '$gen/encounter/v1/record_pb';
