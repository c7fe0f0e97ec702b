package checks

// ParamCommit is the parameter that begins an action with a part of its acts.
const ParamCommit = "commit"
