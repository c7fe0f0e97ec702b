package dice

// Points that content can change. Attacks and what they do are told apart by
// melee, ranged and spell.
const (
	PointAttack     = "attack"
	PointAttacked   = "attacked"
	PointDamage     = "damage"
	PointArmor      = "armor-class"
	PointSave       = "save"
	PointCheck      = "check"
	PointInitiative = "initiative"
)
