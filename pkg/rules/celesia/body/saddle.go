package body

// SaddleMilitary is the saddle that keeps an unconscious rider best.
const SaddleMilitary = "military"
