package packing

// named is a reference to something of the set.
type named struct {
	Index string `json:"index"`
	Name  string `json:"name"`
}

// equipment is a record of the equipment.
type equipment struct {
	Index      string   `json:"index"`
	Name       string   `json:"name"`
	Category   named    `json:"equipment_category"`
	Range      string   `json:"weapon_range"`
	Damage     *damage  `json:"damage"`
	TwoHanded  *damage  `json:"two_handed_damage"`
	Reach      feet     `json:"range"`
	Thrown     feet     `json:"throw_range"`
	Properties []named  `json:"properties"`
	Special    []string `json:"special"`
	Armor      struct {
		Base      int32  `json:"base"`
		Dexterity bool   `json:"dex_bonus"`
		Most      *int32 `json:"max_bonus"`
	} `json:"armor_class"`
	ArmorCategory string `json:"armor_category"`
	Strength      int32  `json:"str_minimum"`
	Stealth       bool   `json:"stealth_disadvantage"`
}

type feet struct {
	Normal int32 `json:"normal"`
	Long   int32 `json:"long"`
}

type damage struct {
	Dice string `json:"damage_dice"`
	Type named  `json:"damage_type"`
}

// condition is a record of the conditions.
type condition struct {
	Index string   `json:"index"`
	Name  string   `json:"name"`
	Desc  []string `json:"desc"`
}

// spell is a record of the spells.
type spell struct {
	Index         string   `json:"index"`
	Name          string   `json:"name"`
	Desc          []string `json:"desc"`
	Higher        []string `json:"higher_level"`
	Range         string   `json:"range"`
	Components    []string `json:"components"`
	Duration      string   `json:"duration"`
	Concentration bool     `json:"concentration"`
	Casting       string   `json:"casting_time"`
	Level         int32    `json:"level"`
	Attack        string   `json:"attack_type"`
	Damage        *struct {
		Type    named             `json:"damage_type"`
		BySlot  map[string]string `json:"damage_at_slot_level"`
		ByLevel map[string]string `json:"damage_at_character_level"`
	} `json:"damage"`
	Healing map[string]string `json:"heal_at_slot_level"`
	DC      *struct {
		Type    named  `json:"dc_type"`
		Success string `json:"dc_success"`
	} `json:"dc"`
	Area *struct {
		Type string `json:"type"`
		Size int32  `json:"size"`
	} `json:"area_of_effect"`
}
